DESTINATION=$(curl -K api.curl $API/event_destinations --json '{
  "format": "json",
  "target": {"monitoring": {"api_key": "0123456789abcdef0123456789abcdef", "service": "underpass", "tags": "env:test", "site": "monitoring.example.com"}}
}' | id)
SUBSCRIPTION=$(curl -K api.curl $API/event_subscriptions --json '{
  "sources": [{"type": "ip_policy_created.v0"}], "destination_ids": ["'$DESTINATION'"]
}' | id)
AT=$API/event_subscriptions/$SUBSCRIPTION
curl -K api.curl $API/event_subscriptions
curl -K api.curl $AT
curl -K api.curl $AT -X PATCH --json '{"description": "who changes policies"}'

curl -K api.curl $AT/sources --json '{"type": "ip_policy_updated.v0"}'
curl -K api.curl $AT/sources
curl -K api.curl $AT/sources/ip_policy_updated.v0
curl -K api.curl $AT/sources/ip_policy_updated.v0 -X PATCH --json '{}'
curl -K api.curl $AT/sources/ip_policy_updated.v0 -X DELETE

curl -K api.curl $AT -X DELETE
curl -K api.curl $API/event_destinations/$DESTINATION -X DELETE
