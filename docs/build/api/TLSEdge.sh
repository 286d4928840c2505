DOMAIN=$(curl -K api.curl $API/reserved_domains --json '{"name": "shop"}' | id)
HOST=$(curl -K api.curl $API/reserved_domains/$DOMAIN | node -p 'JSON.parse(fs.readFileSync(0)).domain')
HELLO=$(curl -K api.curl $API/backends/http_response --json '{"body": "hello\n"}' | id)
POLICY=$(curl -K api.curl $API/ip_policies --json '{"description": "this machine"}' | id)
curl -K api.curl $API/ip_policy_rules --json '{"ip_policy_id": "'$POLICY'", "cidr": "127.0.0.0/8", "action": "allow"}'
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out clients.pem -subj '/CN=Clients' -addext keyUsage=critical,keyCertSign 2> openssl.log
CA=$(node -p 'JSON.stringify({ca_pem: fs.readFileSync("clients.pem", "utf8")})' | curl -K api.curl $API/certificate_authorities --json @- | id)

EDGE=$(curl -K api.curl $API/edges/tls --json '{
  "description": "the shop", "hostports": ["'$HOST':443"],
  "tls_termination": {"terminate_at": "edge"}, "backend": {"backend_id": "'$HELLO'"}
}' | id)
curl -K api.curl $API/edges/tls
curl -K api.curl $API/edges/tls/$EDGE
curl -K api.curl $API/edges/tls/$EDGE -X PATCH --json '{"metadata": "since 2026"}'
curl --silent --fail --cacert data/ca.pem "${API/api./shop.}"

curl -K api.curl $API/edges/tls/$EDGE/backend -X PUT --json '{"backend_id": "'$HELLO'"}'
curl -K api.curl $API/edges/tls/$EDGE/backend
curl -K api.curl $API/edges/tls/$EDGE/ip_restriction -X PUT --json '{"ip_policy_ids": ["'$POLICY'"]}'
curl -K api.curl $API/edges/tls/$EDGE/ip_restriction
curl -K api.curl $API/edges/tls/$EDGE/mutual_tls -X PUT --json '{"certificate_authority_ids": ["'$CA'"]}'
curl -K api.curl $API/edges/tls/$EDGE/mutual_tls
curl -K api.curl $API/edges/tls/$EDGE/tls_termination -X PUT --json '{"terminate_at": "edge", "min_version": "1.3"}'
curl -K api.curl $API/edges/tls/$EDGE/tls_termination

curl -K api.curl $API/edges/tls/$EDGE/backend -X DELETE
curl -K api.curl $API/edges/tls/$EDGE/ip_restriction -X DELETE
curl -K api.curl $API/edges/tls/$EDGE/mutual_tls -X DELETE
curl -K api.curl $API/edges/tls/$EDGE/tls_termination -X DELETE
curl -K api.curl $API/edges/tls/$EDGE -X DELETE
curl -K api.curl $API/reserved_domains/$DOMAIN -X DELETE
