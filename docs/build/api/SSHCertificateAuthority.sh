SSH_CA=$(curl -K api.curl $API/ssh_certificate_authorities --json '{"description": "our hosts and people", "private_key_type": "ecdsa", "elliptic_curve": "nistp384"}' | id)
curl -K api.curl $API/ssh_certificate_authorities
curl -K api.curl $API/ssh_certificate_authorities/$SSH_CA
curl -K api.curl $API/ssh_certificate_authorities/$SSH_CA -X PATCH --json '{"metadata": "rotate in 2030"}'
curl -K api.curl $API/ssh_certificate_authorities/$SSH_CA -X DELETE
