import { execFileSync } from 'node:child_process';

/** What a new process took. */
export interface Start {
  /** Microseconds of processor time: to load a bundle, then for its first answer, if it gives one. */
  used: number[];
  /** Bytes on its connections. */
  received: number;
}

/**
 * Without TLS the SDK imports node:http at its first call, and by that all of fetch. At a stage it does not. What begins while a bundle is
 * loaded, such as the reading of the base, is a part of the first answer as far as it is not done by then.
 */
const PROGRAM = `
  const [, file, event] = process.argv;
  const usedSince = (start) => Object.values(process.cpuUsage(start)).reduce((sum, each) => sum + each);
  const sockets = [];
  require('node:diagnostics_channel').subscribe('net.client.socket', ({ socket }) => sockets.push(socket));
  import('node:http').then(async () => {
    const beforeLoad = process.cpuUsage();
    const { handler } = require(file);
    const used = [usedSince(beforeLoad)];
    const beforeAnswer = process.cpuUsage();
    if (event) await handler(JSON.parse(event), {}).then(() => used.push(usedSince(beforeAnswer)));
    const received = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    process.stdout.write(JSON.stringify({ used, received }), () => process.exit());
  });`;

/** Loads a bundle in a new process, and asks it once. */
export function measureStart(file: string, event: unknown): Start {
  const options = ['-e', PROGRAM, file, JSON.stringify(event) ?? ''];
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }).split('\n').at(-1) ?? '');
}
