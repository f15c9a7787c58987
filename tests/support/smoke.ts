import { type Ended, runProgram } from './runProgram.ts';

/** Runs `npm run smoke`. */
export const smoke = (url: string[], env: Record<string, string> = {}): Promise<Ended> =>
  runProgram(process.execPath, ['tools/operate/smoke.ts', ...url], { env });
