npx underpass http 3000 --quiet > agent.log 2>&1 &
has_tunnel() { curl -K api.curl $API/tunnels | grep -q tn_; }
wait_for has_tunnel
curl -K api.curl $API/tunnels
TUNNEL=$(curl -K api.curl $API/tunnels | node -p 'JSON.parse(fs.readFileSync(0)).tunnels[0].id')
curl -K api.curl $API/tunnels/$TUNNEL
