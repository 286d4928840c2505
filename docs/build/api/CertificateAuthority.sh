openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj '/CN=Our staff' -addext keyUsage=critical,keyCertSign 2> openssl.log
AUTHORITY=$(node -p 'JSON.stringify({ca_pem: fs.readFileSync("ca.pem", "utf8")})' | curl -K api.curl $API/certificate_authorities --json @- | id)
curl -K api.curl $API/certificate_authorities
curl -K api.curl $API/certificate_authorities/$AUTHORITY
curl -K api.curl $API/certificate_authorities/$AUTHORITY -X PATCH --json '{"description": "signs client certificates"}'
curl -K api.curl $API/certificate_authorities/$AUTHORITY -X DELETE
