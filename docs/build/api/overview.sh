# Warnings first, then counts and figures.
curl -K api.curl $API/overview
