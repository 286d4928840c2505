DOMAIN=$(curl -K api.curl $API/reserved_domains --json '{"name": "portal"}' | id)
HOST=$(curl -K api.curl $API/reserved_domains/$DOMAIN | node -p 'JSON.parse(fs.readFileSync(0)).domain')
HTTPS_EDGE=$(curl -K api.curl $API/edges/https --json '{"hostports": ["'$HOST':443"]}' | id)
curl -K api.curl $API/edges/https
curl -K api.curl $API/edges/https/$HTTPS_EDGE
curl -K api.curl $API/edges/https/$HTTPS_EDGE -X PATCH --json '{"description": "the portal"}'

curl -K api.curl $API/edges/https/$HTTPS_EDGE/mutual_tls -X PUT --json '{"certificate_authority_ids": ["'$CA'"]}'
curl -K api.curl $API/edges/https/$HTTPS_EDGE/mutual_tls
curl -K api.curl $API/edges/https/$HTTPS_EDGE/mutual_tls -X DELETE
curl -K api.curl $API/edges/https/$HTTPS_EDGE/tls_termination -X PUT --json '{"min_version": "1.3"}'
curl -K api.curl $API/edges/https/$HTTPS_EDGE/tls_termination
curl -K api.curl $API/edges/https/$HTTPS_EDGE/tls_termination -X DELETE

curl -K api.curl $API/edges/https/$HTTPS_EDGE -X DELETE
curl -K api.curl $API/reserved_domains/$DOMAIN -X DELETE
