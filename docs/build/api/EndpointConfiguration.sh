CONFIGURATION=$(curl -K api.curl $API/endpoint_configurations --json '{"type": "https", "description": "for the shop"}' | id)
AT=$API/endpoint_configurations/$CONFIGURATION
curl -K api.curl $API/endpoint_configurations
curl -K api.curl $AT
curl -K api.curl $AT -X PATCH --json '{"metadata": "v2", "compression": {"enabled": true}}'

curl -K api.curl $AT/circuit_breaker -X PUT --json '{"error_threshold_percentage": 0.5}'
curl -K api.curl $AT/circuit_breaker
curl -K api.curl $AT/circuit_breaker -X DELETE
curl -K api.curl $AT/basic_auth -X PUT --json '{"realm": "Reports"}'
curl -K api.curl $AT/basic_auth
curl -K api.curl $AT/basic_auth -X DELETE
curl -K api.curl $AT/compression -X PUT --json '{}'
curl -K api.curl $AT/compression
curl -K api.curl $AT/compression -X DELETE
curl -K api.curl $AT/request_headers -X PUT --json '{"remove": ["X-Debug"]}'
curl -K api.curl $AT/request_headers
curl -K api.curl $AT/request_headers -X DELETE
curl -K api.curl $AT/response_headers -X PUT --json '{"add": {"X-Frame-Options": "DENY"}}'
curl -K api.curl $AT/response_headers
curl -K api.curl $AT/response_headers -X DELETE
curl -K api.curl $AT/webhook_validation -X PUT --json '{"provider": "github", "secret": "It is a secret to everybody"}'
curl -K api.curl $AT/webhook_validation
curl -K api.curl $AT/webhook_validation -X DELETE
curl -K api.curl $AT/websocket_tcp_converter -X PUT --json '{}'
curl -K api.curl $AT/websocket_tcp_converter
curl -K api.curl $AT/websocket_tcp_converter -X DELETE
curl -K api.curl $AT/user_agent_filter -X PUT --json '{"deny": ["[Ss]canner"]}'
curl -K api.curl $AT/user_agent_filter
curl -K api.curl $AT/user_agent_filter -X DELETE
curl -K api.curl $AT/ip_policy -X PUT --json '{"ip_policy_ids": ["'$POLICY'"]}'
curl -K api.curl $AT/ip_policy
curl -K api.curl $AT/ip_policy -X DELETE
curl -K api.curl $AT/tls_termination -X PUT --json '{"terminate_at": "edge", "min_version": "1.2"}'
curl -K api.curl $AT/tls_termination
curl -K api.curl $AT/mutual_tls -X PUT --json '{"certificate_authority_ids": ["'$CA'"]}'
curl -K api.curl $AT/mutual_tls
curl -K api.curl $AT/mutual_tls -X DELETE
curl -K api.curl $AT/tls_termination -X DELETE
curl -K api.curl $AT/backend -X PUT --json '{"backend_id": "'$HELLO'"}'
curl -K api.curl $AT/backend
curl -K api.curl $AT/backend -X DELETE
node -p 'JSON.stringify({idp_metadata: fs.readFileSync("idp.xml", "utf8")})' | curl -K api.curl $AT/saml -X PUT --json @-
curl -K api.curl $AT/saml
curl -K api.curl $AT/saml -X DELETE

# Visitors log in at an OpenID Connect provider, or with OAuth at one that is known here by its name.
curl -K api.curl $AT/oidc -X PUT --json '{"issuer": "https://accounts.example.com", "client_id": "shop", "client_secret": "kept by the service"}'
curl -K api.curl $AT/oidc
curl -K api.curl $AT/oidc -X DELETE
curl -K api.curl $AT/oauth -X PUT --json '{"provider": {"github": {"client_id": "shop", "client_secret": "kept by the service"}}}'
curl -K api.curl $AT/oauth
curl -K api.curl $AT/oauth -X DELETE

curl -K api.curl $AT -X DELETE
