DESTINATION=$(curl -K api.curl $API/event_destinations --json '{
  "description": "the audit log", "format": "json",
  "target": {"stream": {
    "stream_identifier": "arn:aws:kinesis:eu-central-1:123456789012:stream/audit",
    "auth": {"role": {"role_identifier": "arn:aws:iam::123456789012:role/audit"}}
  }}
}' | id)
curl -K api.curl $API/event_destinations
curl -K api.curl $API/event_destinations/$DESTINATION

# How delivery stands, and what the owner of the role lets the service in by.
curl -K api.curl $API/event_destinations/$DESTINATION/status

# A test event shows whether it is taken; this role is nobody's, so this is 409 with the reason.
curl -K api.curl $API/event_destinations/$DESTINATION/test -X POST || true

curl -K api.curl $API/event_destinations/$DESTINATION -X PATCH --json '{"metadata": "kept for a year"}'
curl -K api.curl $API/event_destinations/$DESTINATION -X DELETE
