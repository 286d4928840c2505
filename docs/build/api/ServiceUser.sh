SERVICE=$(curl -K api.curl $API/service_users --json '{"name": "backups"}' | id)
curl -K api.curl $API/service_users
curl -K api.curl $API/service_users/$SERVICE
curl -K api.curl $API/bot_users/bot_${SERVICE#service_}
KEY=$(curl -K api.curl $API/api_keys --json '{"owner_id": "'$SERVICE'"}' | id)
curl -K api.curl $API/api_keys/$KEY -X DELETE
curl -K api.curl $API/service_users/$SERVICE -X PATCH --json '{"active": false}'
curl -K api.curl $API/service_users/$SERVICE -X DELETE
