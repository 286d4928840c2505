# Names that agents serve.
curl -K api.curl -G $API/names --data-urlencode "filter=served_by = agent"
