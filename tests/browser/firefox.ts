#!/usr/bin/env node
/**
 * Firefox as a distribution has it, for Playwright, which speaks WebDriver BiDi with it. Playwright is ahead of a release for long-term support:
 * what that does not know yet, and no test needs, is answered here. All else is passed on.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import WebSocket, { WebSocketServer } from 'ws';

/** Commands that change how media look: none of them asks for something else than what Firefox does by itself. */
const LEFT_OUT = ['emulation.setMediaFeaturesOverride'];

const LISTENING = /(?<=WebDriver BiDi listening on )ws:\/\/\S+/;

/** Passes on what is said between Playwright and Firefox. */
function join(playwright: WebSocket, firefox: WebSocket): void {
  const waiting: string[] = [];
  playwright.on('message', (data) => {
    const text = String(data);
    const { id, method } = JSON.parse(text) as { id: number; method: string };
    if (LEFT_OUT.includes(method)) playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
    else if (firefox.readyState === WebSocket.OPEN) firefox.send(text);
    else waiting.push(text);
  });
  firefox.on('open', () => {
    for (const text of waiting) firefox.send(text);
  });
  firefox.on('message', (data) => playwright.send(String(data)));
  playwright.on('close', () => firefox.close());
  firefox.on('close', () => playwright.close());
}

const browser = spawn(process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => browser.kill(signal));
browser.on('exit', (code) => process.exit(code ?? 1));
createInterface({ input: browser.stderr }).on('line', (line) => {
  const [url] = LISTENING.exec(line) ?? [];
  if (url === undefined) return process.stderr.write(`${line}\n`);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => {
    const { port } = server.address() as { port: number };
    process.stderr.write(`${line.replace(url, `ws://127.0.0.1:${port}`)}\n`);
  });
  server.on('connection', (socket) => join(socket, new WebSocket(`${url}/session`)));
});
