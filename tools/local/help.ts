const USAGE = `Usage: npm start -- [--stage dev] [--host localhost]
  --stage <name>  takes the settings of this stage of serverless.yml
  --host <name>   listens there; 0.0.0.0 serves other machines, too

Variables of the environment:
  PORT                          another port than 3000
  LOCAL_STORE=memory            the store in memory, where npm has installed an embedded DynamoDB (Linux x64)
  DYNAMODB_DATA                 a file that keeps the data of the embedded DynamoDB; otherwise they are in memory
  AWS_ENDPOINT_URL_DYNAMODB     another DynamoDB-compatible server, such as http://localhost:8000 of
                                "docker run -p 8000:8000 amazon/dynamodb-local"; missing tables are created
  OIDC_ISSUER, OIDC_AUDIENCE    the issuer and the audience of tokens, both or neither; otherwise callers need none
  CORS_ORIGINS                  origins of other pages that may call it, separated by spaces
  LISTS=opensearch              lists come from an OpenSearch that it brings (a JDK 17 and Maven), or from the one at
                                OPENSEARCH_URL
  EVENTS_FILE                   a file for every change, as an event
docs/client.md says more. Fill it with: npm run seed
`;

/** The help of `npm start`, in place of the framework's list of all options. Undefined for another command. */
export function helpFor(args: readonly string[]): string | undefined {
  const asks = args.includes('--help') || args.includes('-h');
  return asks && args.includes('offline') ? USAGE : undefined;
}
