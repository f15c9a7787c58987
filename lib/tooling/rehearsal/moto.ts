import type { PythonProgram } from '../python.ts';

/** The stand-in for AWS. */
export const MOTO: PythonProgram = {
  name: 'moto',
  user: 'The rehearsal',
  loss: 'nothing was rehearsed',
  requirements: new URL('requirements.txt', import.meta.url).pathname,
  folder: '.local/rehearsal',
};
