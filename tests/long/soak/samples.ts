import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { findService } from '../../../tools/local/serviceFile.ts';
import type { LocalService } from '../../support/httpService.ts';

const HEAP_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

/** The module that is loaded before the service. */
export const HEAP_ON_SIGNAL = {
  NODE_OPTIONS: `--require ${JSON.stringify(fileURLToPath(new URL('./heapOnSignal.cjs', import.meta.url)))}`,
};

/** The heap in use after a garbage collection, in megabytes. */
async function heap({ output, signal }: LocalService): Promise<number> {
  const before = output().length;
  signal('SIGUSR2');
  for (let waited = 0; waited < HEAP_TIMEOUT_MS; waited += POLL_MS) {
    const [, bytes] = /^heap: (\d+)$/m.exec(output().slice(before)) ?? [];
    if (bytes !== undefined) return Number(bytes) / 1e6;
    await setTimeout(POLL_MS);
  }
  throw new Error('The service did not report its heap');
}

/** The resident memory of the process on Linux, in megabytes. */
function residentSize(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1_024) / 1e6;
}

function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith('socket:');
  } catch {
    // It was closed after the folder was read.
    return false;
  }
}

const openSockets = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => isSocket(`/proc/${pid}/fd/${fd}`)).length;

/** Changes are kept for days, and must grow. The Users table has no such keys. */
const WITHOUT_CHANGES = {
  FilterExpression: 'NOT (begins_with(pk, :history) OR begins_with(pk, :feed))',
  ExpressionAttributeValues: { ':history': { S: 'history:' }, ':feed': { S: 'changes:' } },
};

/** The number of items in both tables of the local service, without the changes that are kept. */
async function storedItems(port: number): Promise<number> {
  const { endpoint, region, tables } = findService(port);
  const client = new DynamoDBClient({ endpoint, region });
  let items = 0;
  for (const TableName of Object.values(tables)) {
    for await (const page of paginateScan({ client }, { TableName, Select: 'COUNT', ...WITHOUT_CHANGES }))
      items += page.Count ?? 0;
  }
  client.destroy();
  return items;
}

/** The measures that must not grow under constant load. */
export interface Sample {
  heap: number;
  resident: number;
  sockets: number;
  journal: number;
  items: number;
}

export const takeSample = async (service: LocalService, journal: number): Promise<Sample> => ({
  heap: await heap(service),
  resident: residentSize(service.pid),
  sockets: openSockets(service.pid),
  journal,
  items: await storedItems(service.port),
});
