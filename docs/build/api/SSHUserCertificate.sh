ssh-keygen -q -t ecdsa -N '' -f person_key
USER_CERTIFICATE=$(node -p 'JSON.stringify({
  ssh_certificate_authority_id: process.argv[1], public_key: fs.readFileSync("person_key.pub", "utf8"), principals: ["deploy"],
})' $SSH_CA | curl -K api.curl $API/ssh_user_certificates --json @- | id)
curl -K api.curl $API/ssh_user_certificates
curl -K api.curl $API/ssh_user_certificates/$USER_CERTIFICATE |
  node -p 'JSON.parse(fs.readFileSync(0)).certificate' > person_key-cert.pub
ssh-keygen -L -f person_key-cert.pub
curl -K api.curl $API/ssh_user_certificates/$USER_CERTIFICATE -X PATCH --json '{"description": "for the release"}'
curl -K api.curl $API/ssh_user_certificates/$USER_CERTIFICATE -X DELETE
curl -K api.curl $API/ssh_certificate_authorities/$SSH_CA -X DELETE
