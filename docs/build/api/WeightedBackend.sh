BLUE=$(curl -K api.curl $API/backends/tunnel_group --json '{"labels": {"version": "blue"}}' | id)
GREEN=$(curl -K api.curl $API/backends/tunnel_group --json '{"labels": {"version": "green"}}' | id)
WEIGHTED=$(curl -K api.curl $API/backends/weighted --json '{"backends": {"'$BLUE'": 95, "'$GREEN'": 5}}' | id)
curl -K api.curl $API/backends/weighted
curl -K api.curl $API/backends/weighted/$WEIGHTED
curl -K api.curl $API/backends/weighted/$WEIGHTED -X PATCH --json '{"backends": {"'$BLUE'": 50, "'$GREEN'": 50}}'
curl -K api.curl $API/backends/weighted/$WEIGHTED -X DELETE
