curl -K api.curl "$API/visitor_logins?limit=5"
# No visitor has logged in here, so there is none to end: 404.
curl -K api.curl $API/visitor_logins/vl_000000000000000000000000000 -X DELETE || true
