# Everybody of acme.com who is not archived, the newest first, for a spreadsheet.
[ $# -eq 0 ] || { echo 'Usage: sh sheet.sh' >&2; exit 2; }
API=${API:-http://localhost:3000}
query='email.endsWith=@acme.com&status.not=archived&sort=createdAt,desc&fields=name,email,lastName'
curl -sSf "$API/api/users/all?$query" -H 'Accept: text/csv' ${TOKEN:+-H "Authorization: Bearer $TOKEN"}
