curl -K api.curl $API/status
