/** The client of DynamoDB, which a door without groups does not load: it takes as long as all the rest. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export { BatchGetCommand, GetCommand, paginateQuery, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';

/** A container has one. */
export const client = DynamoDBDocumentClient.from(new DynamoDBClient(), {
  marshallOptions: { removeUndefinedValues: true },
});
