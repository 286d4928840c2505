curl -K api.curl $API/ip_policies/test --json '{"ip": "203.0.113.9", "rules": [{"action": "allow", "cidr": "203.0.113.0/24"}]}'
