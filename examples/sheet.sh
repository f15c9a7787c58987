# Everybody of acme.com who is not archived, the newest first, for a spreadsheet.
query='email.endsWith=@acme.com&status.not=archived&sort=createdAt,desc&fields=name,email,lastName'
curl -sf "$API/api/users/all?$query" -H 'Accept: text/csv'
