# Nothing listens on the port of this agent, so a visit fails and is recorded.
npx underpass http 9 --quiet > agent.log 2>&1 &
wait_for is_online
curl -K api.curl $API/endpoints | node -p '
  const { public_url } = JSON.parse(fs.readFileSync(0)).endpoints[0];
  fs.writeFileSync("visit.curl", `silent\ncacert = "data/ca.pem"\nurl = "${public_url}"\n`); public_url;
'
curl -K visit.curl
has_request() { curl -K api.curl $API/traffic/requests | grep -q status; }
wait_for has_request
curl -K api.curl "$API/traffic/requests?filter=status_code%20%3E%3D%20500"
REQUEST=$(curl -K api.curl $API/traffic/requests | node -p 'JSON.parse(fs.readFileSync(0)).requests[0].id')
curl -K api.curl $API/traffic/requests/$REQUEST
ENDPOINT=$(curl -K api.curl $API/endpoints | node -p 'JSON.parse(fs.readFileSync(0)).endpoints[0].id')
curl -K api.curl $API/traffic/recordings --json '{"site_id": "'$ENDPOINT'", "minutes": 5}'
curl -K api.curl $API/traffic/recordings
RECORDING=$(curl -K api.curl $API/traffic/recordings | node -p 'JSON.parse(fs.readFileSync(0)).recordings[0].id')
curl -K api.curl $API/traffic/recordings/$RECORDING -X DELETE
curl -K api.curl "$API/traffic/series?resolution=1m&since=3600"
NAME=$(sed -n 's|^url = "https://\([^:/"]*\).*|\1|p' visit.curl)
curl -K api.curl "$API/traffic/recent?by=endpoint&ids=$NAME"
kill %%
wait
