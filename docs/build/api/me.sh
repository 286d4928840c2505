curl -K api.curl $API/me
