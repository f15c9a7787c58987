/**
 * The table of groups, which is the door's own: an item for each group, by its id, and one for its name, so that no two groups have the same
 * one, ignoring case. Members are not here: they are users who have the id among the values of an attribute (members.ts).
 */
import { createHash, randomBytes } from 'node:crypto';
import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Settings } from '../door.ts';
import { folded } from './fields.ts';
import { failed } from './service.ts';

export interface Group {
  id: string;
  displayName: string;
  externalId?: string | undefined;
  /** How often it was written. 0: it has no item, and is a value that users have. */
  version: number;
  createdAt?: string;
  updatedAt?: string;
  /** The creation that has not come to its end: a digest of its body. */
  begun?: string | undefined;
}

type Fields = Pick<Group, 'id' | 'displayName' | 'externalId' | 'begun'>;
type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** `taken`: another group has the name. `late`: somebody else has written the group meanwhile. */
type Outcome = 'written' | 'taken' | 'late';

/** The keys that one BatchGetItem takes: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_KEYS = 100;
const REFUSED = 'ConditionalCheckFailed';
const IS_NEW = 'attribute_not_exists(pk)';

export const newId = (): string => randomBytes(8).toString('hex');

export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');

const keyOf = (id: string) => ({ pk: 'group', sk: id });
/** A name may be longer than a key. */
const nameKeyOf = (displayName: string) => ({ pk: 'name', sk: digestOf(folded(displayName)) });

const groupIn = ({ pk: _, sk, ...members }: Record<string, unknown>) => ({ ...members, id: sk }) as unknown as Group;

const isCancelled = (error: unknown): error is TransactionCanceledException =>
  Object(error).name === 'TransactionCanceledException';

/** An error of the SDK has the request with the names in it: its own name is all that is logged. */
async function answered<Output>(call: (dynamo: typeof import('./dynamo.ts')) => Promise<Output>): Promise<Output> {
  try {
    return await call(await import('./dynamo.ts'));
  } catch (error) {
    if (isCancelled(error)) throw error;
    console.error(`The table of groups: ${error instanceof Error ? error.name : error}`);
    throw failed(503, 'The table of groups does not answer');
  }
}

/** @throws {ScimError} 503 if DynamoDB is throttled, or if an attempt without an answer may be what the condition has met */
function outcomeOf({ CancellationReasons = [], $metadata: { attempts = 1 } }: TransactionCanceledException): Outcome {
  const codes = CancellationReasons.map(({ Code }) => Code);
  const isThrottled = codes.some((code = '') => /^(?:Throttl|Provisioned)/.test(code));
  if (isThrottled || (codes.includes(REFUSED) && attempts > 1))
    throw failed(503, 'The table of groups does not answer');
  return codes.slice(1).includes(REFUSED) ? 'taken' : 'late';
}

export function tableOf({ SCIM_GROUPS_TABLE: TableName = '' }: Settings) {
  /** All reads are strongly consistent: a group that was written is there for the next request. */
  async function item(Key: object) {
    const input = { TableName, Key: { ...Key }, ConsistentRead: true };
    return (await answered(({ client, GetCommand }) => client.send(new GetCommand(input)))).Item;
  }

  async function get(id: string): Promise<Group | undefined> {
    const found = await item(keyOf(id));
    return found && groupIn(found);
  }

  async function named(displayName: string): Promise<Group | undefined> {
    const found = await item(nameKeyOf(displayName));
    return found && get(String(found.id));
  }

  /** A read unit for each 4 KB: for some 20 groups. */
  async function all(): Promise<Group[]> {
    const input = {
      ...{ TableName, ConsistentRead: true },
      ...{ KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': keyOf('').pk } },
    };
    const pages = await answered(({ client, paginateQuery }) => Array.fromAsync(paginateQuery({ client }, input)));
    return pages.flatMap(({ Items = [] }) => Items.map(groupIn));
  }

  /** The names of groups, by id. */
  async function names(ids: string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    let keys = ids.map(keyOf);
    while (keys.length > 0) {
      const request = { [TableName]: { Keys: keys.slice(0, MAX_KEYS), ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await answered(({ client, BatchGetCommand }) =>
        client.send(new BatchGetCommand({ RequestItems: request })),
      );
      for (const { sk, displayName } of Responses?.[TableName] ?? []) found.set(sk, displayName);
      keys = [...keys.slice(MAX_KEYS), ...((UnprocessedKeys?.[TableName]?.Keys ?? []) as typeof keys)];
    }
    return found;
  }

  /** The write of the item of a group, if nobody else has written it since it was read. */
  function groupWrite(before: Group | undefined, after: Fields | undefined): Write {
    const { version = 0, createdAt } = before ?? {};
    const condition =
      version === 0
        ? { ConditionExpression: IS_NEW }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
    if (after === undefined) return { Delete: { TableName, Key: keyOf(before?.id ?? ''), ...condition } };
    const { id, ...fields } = after;
    const updatedAt = new Date().toISOString();
    const Item = { ...keyOf(id), ...fields, version: version + 1, createdAt: createdAt ?? updatedAt, updatedAt };
    return { Put: { TableName, Item, ...condition } };
  }

  /** A name is taken as the group gets it, and is free as it loses it. */
  function nameWrites(before: Group | undefined, after: Fields | undefined): Write[] {
    const [was, is] = [before?.version ? before : undefined, after].map(
      (group) => group && nameKeyOf(group.displayName),
    );
    if (was?.sk === is?.sk) return [];
    const taken = is && { TableName, Item: { ...is, id: after?.id }, ConditionExpression: IS_NEW };
    return [...(taken ? [{ Put: taken }] : []), ...(was ? [{ Delete: { TableName, Key: was } }] : [])];
  }

  /** Writes a group that is new, has changed, or is gone. Of writers at once one succeeds. */
  async function save(before: Group | undefined, after: Fields | undefined): Promise<Outcome> {
    const TransactItems = [groupWrite(before, after), ...nameWrites(before, after)];
    try {
      await answered(({ client, TransactWriteCommand }) => client.send(new TransactWriteCommand({ TransactItems })));
      return 'written';
    } catch (error) {
      if (isCancelled(error)) return outcomeOf(error);
      throw error;
    }
  }

  return { get, named, all, names, save };
}
