POLICY=$(curl -K api.curl $API/ip_policies --json '{"description": "this machine"}' | id)
curl -K api.curl $API/ip_policy_rules --json '{"ip_policy_id": "'$POLICY'", "cidr": "127.0.0.0/8", "action": "allow"}'
RESTRICTION=$(curl -K api.curl $API/ip_restrictions --json '{"type": "api", "enforced": true, "ip_policy_ids": ["'$POLICY'"]}' | id)
curl -K api.curl $API/ip_restrictions
curl -K api.curl $API/ip_restrictions/$RESTRICTION
# Not enforced: the daemon serves the requests that it would refuse, and logs them.
curl -K api.curl $API/ip_restrictions/$RESTRICTION -X PATCH --json '{"enforced": false}'
curl -K api.curl $API/ip_restrictions/$RESTRICTION -X DELETE
