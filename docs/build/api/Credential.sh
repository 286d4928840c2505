# The answer to the creation is the only one that has the token.
CREDENTIAL=$(curl -K api.curl $API/credentials --json '{"description": "laptop", "acl": ["bind:shop.underpass.localhost", "bind:app=*"]}' | id)
curl -K api.curl $API/credentials
curl -K api.curl $API/credentials/$CREDENTIAL
curl -K api.curl $API/credentials/$CREDENTIAL -X PATCH --json '{"acl": ["bind:*.shop.underpass.localhost"]}'
curl -K api.curl $API/credentials/$CREDENTIAL -X DELETE
