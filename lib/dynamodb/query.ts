import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/** The items of a Query in its order; further pages are read only when the caller goes on asking. */
export async function* queryItems(
  dynamo: DynamoDBDocumentClient,
  input: QueryCommandInput,
): AsyncGenerator<Record<string, unknown>, void, undefined> {
  let from = input.ExclusiveStartKey;
  do {
    const page = await dynamo.send(new QueryCommand({ ...input, ExclusiveStartKey: from }));
    yield* page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}
