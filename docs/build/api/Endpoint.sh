npx underpass http 3000 --quiet > agent.log 2>&1 &
is_online() { curl -K api.curl $API/endpoints | grep -q ep_; }
wait_for is_online
curl -K api.curl $API/endpoints
ENDPOINT=$(curl -K api.curl $API/endpoints | node -p 'JSON.parse(fs.readFileSync(0)).endpoints[0].id')
curl -K api.curl $API/endpoints/$ENDPOINT
curl -K api.curl $API/tunnel_sessions/$(session)/stop -X POST
wait
