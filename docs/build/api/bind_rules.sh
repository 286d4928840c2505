curl -K api.curl $API/credentials/test --json '{"acl": ["bind:*.example.com"], "bind": "shop.example.com"}'
