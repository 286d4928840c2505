POLICY=$(curl -K api.curl $API/ip_policies --json '{"description": "the office"}' | id)
curl -K api.curl $API/ip_policies
curl -K api.curl $API/ip_policies/$POLICY
curl -K api.curl $API/ip_policies/$POLICY -X PATCH --json '{"metadata": "{\"floor\": 3}"}'
curl -K api.curl $API/ip_policies/$POLICY/used_by
curl -K api.curl $API/ip_policies/$POLICY -X DELETE
