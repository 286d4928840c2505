npx underpass http 3000 --quiet > agent.log 2>&1 &
until curl -K api.curl $API/endpoints | grep -q ep_; do sleep 0.2; done
curl -K api.curl $API/endpoints
ENDPOINT=$(curl -K api.curl $API/endpoints | node -p 'JSON.parse(fs.readFileSync(0)).endpoints[0].id')
curl -K api.curl $API/endpoints/$ENDPOINT
kill %%
