/**
 * `npm run bench:stream` measures how much memory a stream of /api/users/all takes, at the sizes whose data `npm run bench` has
 * stored. A peak is how much the heap has grown since before the request, after garbage collection.
 */
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { context, event } from '../tests/support/events.ts';
import { openData } from './data.ts';
import { connectHandlers } from './handlers.ts';

const SIZES = [1_000, 10_000, 100_000];
const SORTS = ['', 'sort=name,desc', 'sort=status'];
const CHUNKS_PER_SAMPLE = 10;
const MB = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / MB;
}

type Streaming = (request: ReturnType<typeof event>, out: Writable, given: typeof context) => Promise<void>;

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Streaming) => handler,
    HttpResponseStream: { from: (out: Writable) => out },
  },
});

async function measure(handler: Streaming, query: string): Promise<{ sentMb: number; peakMb: number }> {
  const before = heapMb();
  let [sent, chunks, peak] = [0, 0, 0];
  const out = new Writable({
    write(chunk: Buffer, _, done) {
      sent += chunk.length;
      if (chunks++ % CHUNKS_PER_SAMPLE === 0) peak = Math.max(peak, heapMb() - before);
      done();
    },
  });
  await handler(event(query, { resource: '/api/users/all' }), out, context);
  return { sentMb: sent / MB, peakMb: peak };
}

const users = Number(process.argv[2]);
if (Number.isNaN(users)) {
  const { spawnSync } = await import('node:child_process');
  console.log('| Users | Order | Sent, MB | Peak of the heap, MB |\n|--:|---|--:|--:|');
  for (const size of SIZES) {
    spawnSync(process.execPath, ['bench/stream.ts', String(size)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
} else {
  const store = await openData(users);
  connectHandlers(store);
  const { handler } = (await import('../functions/listAllUsers.ts')) as unknown as { handler: Streaming };
  await measure(handler, '');
  for (const query of SORTS) {
    const { sentMb, peakMb } = await measure(handler, query);
    console.log(
      `| ${users.toLocaleString('en-US')} | ${query || 'by id'} | ${sentMb.toFixed(1)} | ${peakMb.toFixed(1)} |`,
    );
  }
  await store.stop();
}
