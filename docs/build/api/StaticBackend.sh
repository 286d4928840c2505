STATIC=$(curl -K api.curl $API/backends/static --json '{"address": "www.example.com:443", "tls": {"enabled": true}}' | id)
curl -K api.curl $API/backends/static
curl -K api.curl $API/backends/static/$STATIC
curl -K api.curl $API/backends/static/$STATIC -X PATCH --json '{"address": "www.example.com:80", "tls": {"enabled": false}}'
curl -K api.curl $API/backends/static/$STATIC -X DELETE
