/** The process of a store in memory: `node serve.ts 127.0.0.1 8000`. */
import { createStoreServer } from './server.ts';

const [host, port] = process.argv.slice(2);

createStoreServer().listen(Number(port), host);

// The other end is closed when the process that has started this one ends, even after `kill -9`.
process.stdin.resume().on('close', () => process.exit());
