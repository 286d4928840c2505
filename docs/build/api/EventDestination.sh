DESTINATION=$(curl -K api.curl $API/event_destinations --json '{
  "description": "the audit log", "format": "json",
  "target": {"stream": {
    "stream_identifier": "arn:aws:kinesis:eu-central-1:123456789012:stream/audit",
    "auth": {"role": {"role_identifier": "arn:aws:iam::123456789012:role/audit"}}
  }}
}' | id)
curl -K api.curl $API/event_destinations
curl -K api.curl $API/event_destinations/$DESTINATION

# The state of delivery, and the external id for the owner of the role.
curl -K api.curl $API/event_destinations/$DESTINATION/status

# A test event shows whether the target accepts it. This role does not exist, so the response is 409 with the reason.
curl -K api.curl $API/event_destinations/$DESTINATION/test -X POST || true

curl -K api.curl $API/event_destinations/$DESTINATION -X PATCH --json '{"metadata": "kept for a year"}'
curl -K api.curl $API/event_destinations/$DESTINATION -X DELETE
