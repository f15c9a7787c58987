import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { CONDITION_FAILED } from './errors.ts';

/**
 * Updates one item.
 *
 * @returns false when the condition does not hold; perhaps because an attempt whose response was lost has changed the item
 */
export async function update(dynamo: DynamoDBDocumentClient, input: UpdateCommandInput): Promise<boolean> {
  try {
    await dynamo.send(new UpdateCommand(input));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === CONDITION_FAILED) return false;
    throw error;
  }
}
