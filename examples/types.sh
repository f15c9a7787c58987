[ $# -eq 0 ] || { echo 'Usage: sh types.sh' >&2; exit 2; }
API=${API:-http://localhost:3000}
npx openapi-typescript "$API/api/openapi.json" --output openapi.d.ts
