npx openapi-typescript "$API/api/openapi.json" --output openapi.d.ts
