import { fchmodSync, fstatSync, openSync } from 'node:fs';

/** Nobody else may read what people are called. */
const MODE = 0o600;

/** Replaces a file, or creates it, for its owner alone. @returns its descriptor */
export function openPrivate(path: string): number {
  const file = openSync(path, 'w', MODE);
  try {
    if (fstatSync(file).isFile()) fchmodSync(file, MODE);
  } catch {
    // There are file systems without modes.
  }
  return file;
}
