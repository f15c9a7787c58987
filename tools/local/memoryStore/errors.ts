/** The errors of DynamoDB that the service can meet here. */
import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';

const METADATA = { $metadata: {} };

export const invalid = (message: string): Error => Object.assign(new Error(message), { name: 'ValidationException' });

export const refused = (): Error =>
  new ConditionalCheckFailedException({ message: 'The conditional request failed', ...METADATA });

export const cancelled = (allowed: readonly boolean[]): Error =>
  new TransactionCanceledException({
    message: 'Transaction cancelled',
    CancellationReasons: allowed.map((isAllowed) => ({ Code: isAllowed ? 'None' : 'ConditionalCheckFailed' })),
    ...METADATA,
  });

export const noTable = (name = ''): Error =>
  new ResourceNotFoundException({ message: `Cannot do operations on a non-existent table: ${name}`, ...METADATA });

export const tableExists = (name = ''): Error =>
  new ResourceInUseException({ message: `Table already exists: ${name}`, ...METADATA });

export const mismatch = (): Error =>
  new IdempotentParameterMismatchException({
    Message: 'The token stands for another request',
    message: 'The token stands for another request',
    ...METADATA,
  });
