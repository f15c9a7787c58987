import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Microseconds of processor time that a new process took: to load a bundle, then for its first answer, if it gives one. */
export type Used = number[];

/**
 * As Lambda starts a function: it loads the bundle, and waits for work that this has begun. The wait is a part of the load.
 */
const PROGRAM = `
  const [, file, event] = process.argv;
  const usedSince = (start) => Object.values(process.cpuUsage(start)).reduce((sum, each) => sum + each);
  (async () => {
    const beforeLoad = process.cpuUsage();
    const { handler, started } = require(file);
    await started;
    const used = [usedSince(beforeLoad)];
    const beforeAnswer = process.cpuUsage();
    if (event) await handler(JSON.parse(event), {}).then(() => used.push(usedSince(beforeAnswer)));
    process.stdout.write(JSON.stringify(used), () => process.exit());
  })();`;

/** Loads a bundle in a new process, and asks it once. @param certificate the file with the one of the store */
export async function measureStart(file: string, event: unknown, certificate: string): Promise<Used> {
  const options = ['-e', PROGRAM, file, JSON.stringify(event) ?? ''];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate };
  const { stdout } = await promisify(execFile)(process.execPath, options, { env });
  return JSON.parse(stdout.split('\n').at(-1) ?? '');
}
