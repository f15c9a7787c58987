import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../../lib/users/database.ts';
import { indexesLeft } from '../../deploy/rollout.ts';
import { keysGiven } from '../../operate/sentences.ts';
import { copyShell } from '../projectCopy.ts';
import { expectEqual, expectWell } from './expectations.ts';
import type { Rehearsal } from './run.ts';

const FIELDS = 'lib/users/fields.ts';
const SCHEMAS = 'schemas/user.ts';

/** A new field after the country, in the three places that a test requires. */
const CHANGES = [
  [FIELDS, "country: { short: 'c',", "city: { short: 'i', order: 'text', arriving: true },\n  country: { short: 'c',"],
  [SCHEMAS, '    country: { ...optional,', '    city: { ...optional, ...TEXT },\n    country: { ...optional,'],
  [SCHEMAS, "    country: { type: 'string',", "    city: { type: 'string' },\n    country: { type: 'string',"],
] as const;

async function indexesOf({ dynamo }: Rehearsal, { users }: TableNames): Promise<string[]> {
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: users }));
  return Table?.GlobalSecondaryIndexes?.map(({ IndexName = '' }) => IndexName).toSorted() ?? [];
}

/** docs/deployment.md, "A field for a stage in use". */
export async function laterField(rehearsal: Rehearsal, tables: TableNames, users: number): Promise<void> {
  const { serverless, verify } = rehearsal;
  const before = await indexesOf(rehearsal, tables);
  const { root, replace, remove } = copyShell();
  try {
    for (const [file, text, by] of CHANGES) replace(file, text, by);
    const said = expectWell(await serverless('deploy --stage prod', {}, root));
    if (!said.includes(indexesLeft(['byCountryAndCity'])))
      throw new Error(`The output does not say which indexes are left:\n${said}`);
    expectEqual(await indexesOf(rehearsal, tables), [...before, 'byCity'].toSorted(), 'indexes');
    expectWell(await serverless('deploy --stage prod', {}, root));
    expectEqual(await indexesOf(rehearsal, tables), [...before, 'byCity', 'byCountryAndCity'].toSorted(), 'indexes');
    const filled = expectWell(await verify('--stage prod --keys', {}, root));
    if (!filled.includes(keysGiven(users))) throw new Error(`Some users got no keys:\n${filled}`);
    replace(FIELDS, ', arriving: true', '');
    expectWell(await serverless('deploy --stage prod', {}, root));
    expectWell(await verify('--stage prod --repair --keep-old 1', {}, root));
    expectWell(await verify('--stage prod', {}, root));
    // Each deployment without the field deletes one of its indexes.
    expectWell(await serverless('deploy --stage prod'));
    expectWell(await serverless('deploy --stage prod'));
    expectEqual(await indexesOf(rehearsal, tables), before, 'indexes');
  } finally {
    remove();
  }
}
