PERSON=$(curl -K api.curl $API/users --json '{"name": "Ada", "email": "ada@example.com", "role": "member"}' | id)
curl -K api.curl $API/users
curl -K api.curl $API/users/$PERSON
curl -K api.curl $API/users/$PERSON -X PATCH --json '{"role": "admin"}'
curl -K api.curl $API/users/$PERSON -X DELETE
