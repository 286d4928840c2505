curl -K api.curl "$API/changes?limit=5"
