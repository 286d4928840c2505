session() { curl -K api.curl $API/tunnel_sessions | node -p 'JSON.parse(fs.readFileSync(0)).tunnel_sessions[0]?.id ?? ""'; }
SESSION=$(session)
curl -K api.curl $API/tunnel_sessions/$SESSION

# npm updates Underpass's own agent, so the response is an error with a code.
curl -K api.curl $API/tunnel_sessions/$SESSION/update -X POST || true

# The agent reconnects with a new session and the same public URL.
curl -K api.curl $API/tunnel_sessions/$SESSION/restart -X POST
is_back() { NEXT=$(session); [ -n "$NEXT" ] && [ "$NEXT" != $SESSION ]; }
wait_for is_back
curl -K api.curl $API/tunnel_sessions/$NEXT/stop -X POST
wait
