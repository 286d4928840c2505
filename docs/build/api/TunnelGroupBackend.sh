GROUP=$(curl -K api.curl $API/backends/tunnel_group --json '{"description": "web servers", "labels": {"app": "web"}}' | id)
curl -K api.curl $API/backends/tunnel_group
curl -K api.curl $API/backends/tunnel_group/$GROUP
curl -K api.curl $API/backends/tunnel_group/$GROUP -X PATCH --json '{"labels": {"app": "web", "zone": "north"}}'
curl -K api.curl $API/backends/tunnel_group/$GROUP -X DELETE
