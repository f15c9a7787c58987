for type in application/json application/problem+json; do
  curl -s -w '\n' "$API/api/users" -H 'Content-Type: application/json' -H "Accept: $type" -d '{"name":" ","age":-1}'
done
# {"status":400,"message":"Name is required"}
# {"type":"urn:problem:validation","title":"The body is not valid","status":400,"detail":"Name is required","errors":[{"detail":"Name is required","pointer":"/name"},{"detail":"Age must be positive","pointer":"/age"}]}
