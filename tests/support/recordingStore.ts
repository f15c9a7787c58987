import { createServer } from 'node:http';
import { CURSOR } from '../../lib/events/cursor.ts';
import { close, listen } from './loopback.ts';

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

export interface RecordingStore {
  endpoint: string;
  /** Runs a function and returns the permissions that it used, sorted. */
  record(run: () => Promise<void>): Promise<string[]>;
  stop(): Promise<void>;
}

/** The response of EventBridge when it accepts all events. */
const accepted = ({ Entries = [] }: Request) =>
  JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map((_, i) => ({ EventId: String(i) })) });

/** A proxy between a service and DynamoDB that records which permissions the service needs. It stands for EventBridge, too. */
export async function startRecordingStore(target: string): Promise<RecordingStore> {
  let used = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    if (body.length > 0)
      for (const permission of permissionsFor(operation, JSON.parse(String(body)))) used.add(permission);
    if (operation === 'PutEvents') {
      response.end(accepted(JSON.parse(String(body))));
      return;
    }
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'host'));
    const forwarded = await fetch(target + request.url, {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(forwarded.status, { 'content-type': forwarded.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await forwarded.arrayBuffer()));
  });
  const endpoint = await listen(server);
  return {
    endpoint,
    async record(run) {
      used = new Set();
      await run();
      return [...used].sort();
    },
    stop: () => close(server),
  };
}
