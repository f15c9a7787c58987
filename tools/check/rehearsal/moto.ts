import { fileURLToPath } from 'node:url';
import type { PythonProgram } from '../python.ts';

/** The stand-in for AWS. */
export const MOTO: PythonProgram = {
  name: 'moto',
  user: 'The rehearsal',
  loss: 'nothing was rehearsed',
  requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
  folder: '.local/rehearsal',
};
