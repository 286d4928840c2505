POLICY=$(curl -K api.curl $API/ip_policies --json '{"description": "the office"}' | id)
RULE=$(curl -K api.curl $API/ip_policy_rules --json '{
  "ip_policy_id": "'$POLICY'", "cidr": "192.0.2.0/24", "action": "allow"
}' | id)
curl -K api.curl $API/ip_policy_rules
curl -K api.curl $API/ip_policy_rules/$RULE
curl -K api.curl $API/ip_policy_rules/$RULE -X PATCH --json '{"cidr": "2001:db8::/32"}'
curl -K api.curl $API/ip_policy_rules/$RULE -X DELETE
curl -K api.curl $API/ip_policies/$POLICY -X DELETE
