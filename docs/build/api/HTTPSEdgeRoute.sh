HTTPS_EDGE=$(curl -K api.curl $API/edges/https --json '{"description": "routes"}' | id)
ROUTE=$(curl -K api.curl $API/edges/https/$HTTPS_EDGE/routes --json '{
  "match_type": "path_prefix", "match": "/docs/", "backend": {"backend_id": "'$HELLO'"}, "compression": {}
}' | id)
AT=$API/edges/https/$HTTPS_EDGE/routes/$ROUTE
curl -K api.curl $AT
curl -K api.curl $AT -X PATCH --json '{"match_type": "exact_path", "match": "/docs"}'

curl -K api.curl $AT/backend -X PUT --json '{"backend_id": "'$HELLO'"}'
curl -K api.curl $AT/backend
curl -K api.curl $AT/backend -X DELETE
curl -K api.curl $AT/ip_restriction -X PUT --json '{"ip_policy_ids": ["'$POLICY'"]}'
curl -K api.curl $AT/ip_restriction
curl -K api.curl $AT/ip_restriction -X DELETE
curl -K api.curl $AT/circuit_breaker -X PUT --json '{
  "tripped_duration": 10, "rolling_window": 10, "num_buckets": 10, "volume_threshold": 20, "error_threshold_percentage": 0.25
}'
curl -K api.curl $AT/circuit_breaker
curl -K api.curl $AT/circuit_breaker -X DELETE
curl -K api.curl $AT/compression -X PUT --json '{"enabled": true}'
curl -K api.curl $AT/compression
curl -K api.curl $AT/compression -X DELETE
curl -K api.curl $AT/request_headers -X PUT --json '{"add": {"X-Served-For": "docs"}, "remove": ["X-Debug"]}'
curl -K api.curl $AT/request_headers
curl -K api.curl $AT/request_headers -X DELETE
curl -K api.curl $AT/response_headers -X PUT --json '{"add": {"Cache-Control": "no-store"}}'
curl -K api.curl $AT/response_headers
curl -K api.curl $AT/response_headers -X DELETE
curl -K api.curl $AT/webhook_verification -X PUT --json '{"provider": "github", "secret": "It is a secret to everybody"}'
curl -K api.curl $AT/webhook_verification
curl -K api.curl $AT/webhook_verification -X DELETE
curl -K api.curl $AT/websocket_tcp_converter -X PUT --json '{}'
curl -K api.curl $AT/websocket_tcp_converter
curl -K api.curl $AT/websocket_tcp_converter -X DELETE
curl -K api.curl $AT/user_agent_filter -X PUT --json '{"deny": ["[Ss]canner"]}'
curl -K api.curl $AT/user_agent_filter
curl -K api.curl $AT/user_agent_filter -X DELETE

openssl req -x509 -newkey rsa:2048 -nodes -keyout idp.key -out idp.pem -subj '/CN=Identity provider' 2> openssl.log
cat > idp.xml <<XML
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/metadata">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
$(grep -v -- ----- idp.pem)
      </ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>
XML
node -p 'JSON.stringify({idp_metadata: fs.readFileSync("idp.xml", "utf8"), authorized_groups: ["staff"]})' |
  curl -K api.curl $AT/saml -X PUT --json @-
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
curl -K api.curl $API/edges/https/$HTTPS_EDGE -X DELETE
