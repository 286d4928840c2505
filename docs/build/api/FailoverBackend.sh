GROUP=$(curl -K api.curl $API/backends/tunnel_group --json '{"labels": {"app": "web"}}' | id)
SORRY=$(curl -K api.curl $API/backends/http_response --json '{"status_code": 503, "body": "back soon\n"}' | id)
FAILOVER=$(curl -K api.curl $API/backends/failover --json '{"backends": ["'$GROUP'", "'$SORRY'"]}' | id)
curl -K api.curl $API/backends/failover
curl -K api.curl $API/backends/failover/$FAILOVER
curl -K api.curl $API/backends/failover/$FAILOVER -X PATCH --json '{"backends": ["'$SORRY'"]}'
curl -K api.curl $API/backends/failover/$FAILOVER -X DELETE
