import { CURSOR } from '../../lib/events/cursor.ts';
import { startGate } from './servers.ts';

interface Request {
  Key?: { pk?: { S?: string } };
  Entries?: { EventBusName: string }[];
  TableName?: string;
  IndexName?: string;
  TransactItems?: Record<string, { TableName: string }>[];
  RequestItems?: Record<string, unknown>;
  Statements?: { Statement: string }[];
}

/** The permission that each kind of write in a transaction needs. */
const TRANSACTION_ACTIONS: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** The permission that each kind of PartiQL statement needs: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-iam.html */
const STATEMENT_ACTIONS: Record<string, string> = { 'INSERT INTO': 'PartiQLInsert', UPDATE: 'PartiQLUpdate' };

function permissionForStatement({ Statement }: { Statement: string }): string {
  const [, kind = '', table] = /^(INSERT INTO|UPDATE) "([^"]+)"/.exec(Statement) ?? [];
  return `dynamodb:${STATEMENT_ACTIONS[kind] ?? Statement} ${table}`;
}

/** The permission that DynamoDB checks, as `action resource`: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html */
function permissionsFor(
  operation: string,
  { TableName, IndexName, Key, TransactItems = [], RequestItems, Statements, Entries }: Request,
): string[] {
  if (Entries) return Entries.map(({ EventBusName }) => `events:${operation} ${EventBusName}`);
  if (Key?.pk?.S === CURSOR) return [`dynamodb:${operation} ${TableName}#${CURSOR}`];
  if (Statements) return Statements.map(permissionForStatement);
  if (RequestItems) return Object.keys(RequestItems).map((table) => `dynamodb:${operation} ${table}`);
  if (operation !== 'TransactWriteItems') return [`dynamodb:${operation} ${IndexName ?? TableName}`];
  return TransactItems.flatMap((item) =>
    Object.entries(item).map(([kind, { TableName: table }]) => `dynamodb:${TRANSACTION_ACTIONS[kind]} ${table}`),
  );
}

/** The response of EventBridge when it accepts all events. */
const accepted = ({ Entries = [] }: Request) => ({
  FailedEntryCount: 0,
  Entries: Entries.map((_, i) => ({ EventId: String(i) })),
});

/** A gate between a service and DynamoDB that records which permissions the service needs. It stands for EventBridge, too. */
export async function startRecordingStore(target: string) {
  let used = new Set<string>();
  const gate = await startGate(target, {
    fateOf(_, body, headers) {
      if (body === '') return undefined;
      const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
      const request: Request = JSON.parse(body);
      for (const permission of permissionsFor(operation, request)) used.add(permission);
      return operation === 'PutEvents' ? { status: 200, json: accepted(request) } : undefined;
    },
  });
  return {
    endpoint: gate.url,
    /** Runs a function and returns the permissions that it used, sorted. */
    async record(run: () => Promise<void>): Promise<string[]> {
      used = new Set();
      await run();
      return [...used].sort();
    },
    stop: gate.close,
  };
}
