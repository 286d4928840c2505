DOMAIN=$(curl -K api.curl $API/reserved_domains --json '{"name": "www.example.com", "description": "a name of our own"}' | id)
curl -K api.curl $API/reserved_domains
curl -K api.curl $API/reserved_domains/$DOMAIN
curl -K api.curl $API/reserved_domains/$DOMAIN -X PATCH --json '{"metadata": "team=web"}'

# The records that prove the name to be the account's, and the present state of DNS.
curl -K api.curl $API/reserved_domains/$DOMAIN/proof
curl -K api.curl $API/reserved_domains/$DOMAIN/check -X POST

openssl req -x509 -newkey rsa:2048 -nodes -keyout www.key -out www.pem -subj '/CN=www.example.com' -addext 'subjectAltName=DNS:www.example.com' 2> openssl.log
CERTIFICATE=$(node -p 'JSON.stringify({
  certificate_pem: fs.readFileSync("www.pem", "utf8"), private_key_pem: fs.readFileSync("www.key", "utf8"),
})' | curl -K api.curl $API/tls_certificates --json @- | id)
curl -K api.curl $API/reserved_domains/$DOMAIN -X PATCH --json '{"certificate_id": "'$CERTIFICATE'"}'
curl -K api.curl $API/reserved_domains/$DOMAIN/certificate -X DELETE

HTTP=$(curl -K api.curl $API/endpoint_configurations --json '{"type": "http", "compression": {}}' | id)
HTTPS=$(curl -K api.curl $API/endpoint_configurations --json '{"type": "https", "compression": {}}' | id)
curl -K api.curl $API/reserved_domains/$DOMAIN -X PATCH --json '{
  "http_endpoint_configuration_id": "'$HTTP'", "https_endpoint_configuration_id": "'$HTTPS'"
}'
curl -K api.curl $API/reserved_domains/$DOMAIN/http_endpoint_configuration -X DELETE
curl -K api.curl $API/reserved_domains/$DOMAIN/https_endpoint_configuration -X DELETE

# Certificates that the service gets by itself are not available in this version: there is none to take off, so this is 404.
curl -K api.curl $API/reserved_domains/$DOMAIN/certificate_management_policy -X DELETE || true
# For the same reason, there is none to renew: 409.
curl -K api.curl $API/reserved_domains/$DOMAIN/renew -X POST || true
curl -K api.curl $API/reserved_domains/$DOMAIN -X DELETE
