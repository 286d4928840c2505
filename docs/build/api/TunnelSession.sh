session() { curl -K api.curl $API/tunnel_sessions | node -p 'JSON.parse(fs.readFileSync(0)).tunnel_sessions[0]?.id ?? ""'; }
SESSION=$(session)
curl -K api.curl $API/tunnel_sessions/$SESSION

# Our own agent is updated with npm and says so: this is an error with a code.
curl -K api.curl $API/tunnel_sessions/$SESSION/update -X POST || true

# It comes back as a new session, with the same public URL.
curl -K api.curl $API/tunnel_sessions/$SESSION/restart -X POST
is_back() { NEXT=$(session); [ -n "$NEXT" ] && [ "$NEXT" != $SESSION ]; }
wait_for is_back
curl -K api.curl $API/tunnel_sessions/$NEXT/stop -X POST
wait
