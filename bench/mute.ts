/** Handlers log a line a request, which is not what a benchmark prints. */
export function muteLog(): void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
    String(chunk).startsWith('{"level":') ? true : write(chunk, ...rest);
}
