/** Drops what handlers log: a benchmark prints only its results. */
export function muteLog(): void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
    String(chunk).startsWith('{"level":') ? true : write(chunk, ...rest);
}
