ssh-keygen -q -t ed25519 -N '' -f user_key
SSH_CREDENTIAL=$(node -p 'JSON.stringify({public_key: fs.readFileSync("user_key.pub", "utf8")})' | curl -K api.curl $API/ssh_credentials --json @- | id)
curl -K api.curl $API/ssh_credentials
curl -K api.curl $API/ssh_credentials/$SSH_CREDENTIAL
curl -K api.curl $API/ssh_credentials/$SSH_CREDENTIAL -X PATCH --json '{"description": "laptop", "acl": ["bind:*.underpass.localhost"]}'
curl -K api.curl $API/ssh_credentials/$SSH_CREDENTIAL -X DELETE
