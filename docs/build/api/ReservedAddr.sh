ADDRESS=$(curl -K api.curl $API/reserved_addrs --json '{"description": "ssh to the build machine"}' | id)
curl -K api.curl $API/reserved_addrs
curl -K api.curl $API/reserved_addrs/$ADDRESS
TCP=$(curl -K api.curl $API/endpoint_configurations --json '{"type": "tcp", "ip_policy": {"ip_policy_ids": ["'$POLICY'"]}}' | id)
curl -K api.curl $API/reserved_addrs/$ADDRESS -X PATCH --json '{"endpoint_configuration_id": "'$TCP'"}'
curl -K api.curl $API/reserved_addrs/$ADDRESS/endpoint_configuration -X DELETE
curl -K api.curl $API/reserved_addrs/$ADDRESS -X DELETE
