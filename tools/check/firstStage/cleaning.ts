/** Deletes all that a throw-away stage has made, in whatever state it is. */
import {
  DeleteStackCommand,
  paginateDescribeStacks,
  paginateListStackResources,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { stackOf } from '../../operate/stages.ts';
import { reasonOf } from '../../program/stop.ts';
import type { Opened } from '../rehearsal/doors.ts';

/** Firehose may write into a bucket that was emptied, so its stack is deleted more than once. */
const ATTEMPTS = 3;
const MAX_WAIT_SECONDS = 1_800;

type Cleaned = Pick<Opened, 'account' | 'owner'>;

/** The stacks of a stage: its own, those of its doors, and what was made for it. */
async function stacksOf({ account: { client } }: Pick<Cleaned, 'account'>, stage: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
    for (const { StackName = '' } of Stacks)
      if (StackName === stackOf(stage) || StackName.startsWith(`${stackOf(stage)}-`)) names.push(StackName);
  // Doors before the stage, whose bus cannot be deleted while it has rules.
  return names.toSorted((a, b) => b.length - a.length);
}

async function bucketsOf({ account: { client } }: Cleaned, StackName: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { ResourceType, PhysicalResourceId, ResourceStatus } of StackResourceSummaries)
      if (ResourceType === 'AWS::S3::Bucket' && PhysicalResourceId && ResourceStatus !== 'DELETE_COMPLETE')
        names.push(PhysicalResourceId);
  return names;
}

const KEY_AND_VERSION = /<Key>(.*?)<\/Key>.*?<VersionId>(.*?)<\/VersionId>/gs;

/** Deletes all versions of all files of a bucket, a thousand at a time, also of locked ones. */
async function empty({ owner }: Cleaned, bucket: string): Promise<void> {
  for (;;) {
    const listed = String(await owner.read(`/${bucket}?versions`));
    const found = [...listed.matchAll(KEY_AND_VERSION)];
    if (found.length === 0) return;
    for (const [, key = '', version = ''] of found) {
      const path = key.split('/').map(encodeURIComponent).join('/');
      await owner.erase(`/${bucket}/${path}?versionId=${encodeURIComponent(version)}`);
    }
  }
}

async function deleteStack(cleaned: Cleaned, StackName: string): Promise<void> {
  const { client } = cleaned.account;
  const buckets = await bucketsOf(cleaned, StackName);
  for (let attempt = 1; ; attempt++) {
    for (const bucket of buckets) await empty(cleaned, bucket);
    await client.send(new DeleteStackCommand({ StackName }));
    const wait = { client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 2, maxDelay: 10 };
    const failure = await waitUntilStackDeleteComplete(wait, { StackName }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) break;
    if (attempt === ATTEMPTS) throw failure;
  }
  // A bucket that outlives its stack, as that with object lock does.
  for (const bucket of buckets) await cleaned.owner.erase(`/${bucket}`).catch(() => undefined);
}

/**
 * Deletes the stacks of a stage, with their buckets and tables, one after another, and goes on after a failure.
 *
 * @returns a sentence for each that is still there
 */
export async function deleteAll(cleaned: Cleaned, stage: string): Promise<string[]> {
  const left: string[] = [];
  for (const stack of await stacksOf(cleaned, stage))
    await deleteStack(cleaned, stack).catch((error) => left.push(`${stack} is still there: ${reasonOf(error)}`));
  const tables = (await cleaned.account.tables()).filter((name) => name.startsWith(`${stackOf(stage)}-`));
  return [...left, ...tables.map((table) => `The table ${table} is still there`)];
}
