BACKEND=$(curl -K api.curl $API/backends/http_response --json '{
  "description": "down for maintenance", "status_code": 503, "body": "back soon\n", "headers": {"Content-Type": "text/plain"}
}' | id)
curl -K api.curl $API/backends/http_response
curl -K api.curl $API/backends/http_response/$BACKEND
curl -K api.curl $API/backends/http_response/$BACKEND -X PATCH --json '{"body": "back at noon\n"}'
curl -K api.curl $API/backends/http_response/$BACKEND -X DELETE
