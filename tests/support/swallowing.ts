import { connect, createServer, type Socket } from 'node:net';
import { listen } from './loopback.ts';

/** A proxy before a server on loopback that can drop connections without a word: they stay open, and nothing passes any more. */
export async function startSwallowingProxy(to: string) {
  const port = Number(new URL(to).port);
  const [open, all] = [new Set<Socket>(), new Set<Socket>()];
  let connections = 0;
  let toSwallow = 0;
  const server = createServer((client) => {
    connections++;
    all.add(client.on('error', () => {}));
    if (toSwallow > 0) {
      toSwallow--;
      client.resume();
      return;
    }
    const onward = connect(port, '127.0.0.1').on('error', () => client.destroy());
    client.pipe(onward).pipe(client);
    open.add(client).add(onward);
    client.on('close', () => onward.destroy());
  });
  const url = await listen(server);
  return {
    url,
    connections: () => connections,
    /** Swallows what is sent on connections that are open, and on the next ones. */
    swallow(next = 0): void {
      toSwallow = next;
      for (const socket of open) socket.unpipe().resume();
      open.clear();
    },
    stop(): void {
      for (const socket of all) socket.destroy();
      server.close();
    },
  };
}
