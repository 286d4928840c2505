SSH_CA=$(curl -K api.curl $API/ssh_certificate_authorities --json '{"private_key_type": "ed25519"}' | id)
ssh-keygen -q -t ed25519 -N '' -f host_key
HOST_CERTIFICATE=$(node -p 'JSON.stringify({
  ssh_certificate_authority_id: process.argv[1], public_key: fs.readFileSync("host_key.pub", "utf8"), principals: ["build.example.com"],
})' $SSH_CA | curl -K api.curl $API/ssh_host_certificates --json @- | id)
curl -K api.curl $API/ssh_host_certificates
curl -K api.curl $API/ssh_host_certificates/$HOST_CERTIFICATE |
  node -p 'JSON.parse(fs.readFileSync(0)).certificate' > host_key-cert.pub
ssh-keygen -L -f host_key-cert.pub
curl -K api.curl $API/ssh_host_certificates/$HOST_CERTIFICATE -X PATCH --json '{"description": "the build machine"}'
curl -K api.curl $API/ssh_host_certificates/$HOST_CERTIFICATE -X DELETE
