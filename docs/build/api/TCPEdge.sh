ADDRESS=$(curl -K api.curl $API/reserved_addrs --json '{"description": "the database"}' | id)
ADDR=$(curl -K api.curl $API/reserved_addrs/$ADDRESS | node -p 'JSON.parse(fs.readFileSync(0)).addr')
GROUP=$(curl -K api.curl $API/backends/tunnel_group --json '{"labels": {"app": "db"}}' | id)
TCP_EDGE=$(curl -K api.curl $API/edges/tcp --json '{"hostports": ["'$ADDR'"], "backend": {"backend_id": "'$GROUP'"}}' | id)
curl -K api.curl $API/edges/tcp
curl -K api.curl $API/edges/tcp/$TCP_EDGE
curl -K api.curl $API/edges/tcp/$TCP_EDGE -X PATCH --json '{"description": "the database"}'

curl -K api.curl $API/edges/tcp/$TCP_EDGE/backend -X PUT --json '{"enabled": false, "backend_id": "'$GROUP'"}'
curl -K api.curl $API/edges/tcp/$TCP_EDGE/backend
curl -K api.curl $API/edges/tcp/$TCP_EDGE/backend -X DELETE
curl -K api.curl $API/edges/tcp/$TCP_EDGE/ip_restriction -X PUT --json '{"ip_policy_ids": ["'$POLICY'"]}'
curl -K api.curl $API/edges/tcp/$TCP_EDGE/ip_restriction
curl -K api.curl $API/edges/tcp/$TCP_EDGE/ip_restriction -X DELETE

curl -K api.curl $API/edges/tcp/$TCP_EDGE -X DELETE
curl -K api.curl $API/reserved_addrs/$ADDRESS -X DELETE
