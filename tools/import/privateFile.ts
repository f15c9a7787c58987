import { fchmodSync, fstatSync } from 'node:fs';

/** Nobody else may read what people are called. */
export const PRIVATE = 0o600;

/** Leaves an open file, which may have been there before, to its owner. Some file systems have no modes. */
export function makePrivate(file: number): void {
  try {
    if (fstatSync(file).isFile()) fchmodSync(file, PRIVATE);
  } catch {}
}
