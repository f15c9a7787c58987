[ $# -eq 0 ] || { echo 'Usage: sh errors.sh' >&2; exit 2; }
API=${API:-http://localhost:3000}
for type in application/json application/problem+json; do
  curl -sS -w '\n' "$API/api/users" -H 'Content-Type: application/json' -H "Accept: $type" -d '{"name":" ","age":-1}' || exit
done
# {"status":400,"message":"Name is required"}
# {"type":"urn:problem:validation","title":"The body is not valid","status":400,"detail":"Name is required","errors":[{"detail":"Name is required","pointer":"/name"},{"detail":"Age must be positive","pointer":"/age"}]}
