# Nothing is sent to a backend.
curl -K api.curl $API/explain --json '{"url": "https://shop.underpass.localhost/admin", "client_ip": "203.0.113.9"}'
