openssl req -x509 -newkey rsa:2048 -nodes -keyout app.key -out app.pem -subj '/CN=app.example.com' -addext 'subjectAltName=DNS:app.example.com' 2> openssl.log
CERTIFICATE=$(node -p 'JSON.stringify({
  certificate_pem: fs.readFileSync("app.pem", "utf8"), private_key_pem: fs.readFileSync("app.key", "utf8"),
})' | curl -K api.curl $API/tls_certificates --json @- | id)
curl -K api.curl $API/tls_certificates
curl -K api.curl $API/tls_certificates/$CERTIFICATE
curl -K api.curl $API/tls_certificates/$CERTIFICATE -X PATCH --json '{"description": "until spring"}'
curl -K api.curl $API/tls_certificates/$CERTIFICATE -X DELETE
