# The answer to the creation is the only one that has the token.
API_KEY=$(curl -K api.curl $API/api_keys --json '{"description": "for the pipeline"}' | id)
curl -K api.curl $API/api_keys
curl -K api.curl $API/api_keys/$API_KEY
curl -K api.curl $API/api_keys/$API_KEY -X PATCH --json '{"description": "for the nightly pipeline"}'
curl -K api.curl $API/api_keys/$API_KEY -X DELETE
