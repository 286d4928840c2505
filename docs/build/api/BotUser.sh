BOT=$(curl -K api.curl $API/bot_users --json '{"name": "deployment"}' | id)
curl -K api.curl $API/bot_users
curl -K api.curl $API/bot_users/$BOT
curl -K api.curl $API/bot_users/$BOT -X PATCH --json '{"active": false}'
curl -K api.curl $API/bot_users/$BOT -X DELETE
