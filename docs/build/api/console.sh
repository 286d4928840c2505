# The link signs in one browser, once.
LINK=$(curl -K api.curl $API/console/links -X POST | node -p 'JSON.parse(fs.readFileSync(0)).url')
curl --silent --fail --cacert data/ca.pem $API/ui/session -H "Origin: $API" -H 'Service-Version: 2' --json '{"token": "'${LINK#*#}'"}' > session.json
curl -K api.curl $API/console/sessions
SESSION=$(curl -K api.curl $API/console/sessions | node -p 'JSON.parse(fs.readFileSync(0)).console_sessions[0].id')
curl -K api.curl $API/console/sessions/$SESSION -X DELETE
