import { freePort } from '../../local/port.ts';
import type { Rehearsal } from './run.ts';

/** The service of a deployed stage, on this machine: the stand-in has its tables, and does not run its functions. */
export async function serve({ start, standIn }: Rehearsal, stage: string) {
  const PORT = String(await freePort());
  const settings = { PORT, OIDC_ISSUER: 'none', AWS_ENDPOINT_URL_DYNAMODB: standIn.endpoint };
  const running = start(
    `node_modules/serverless/bin/serverless.js offline --stage ${stage} --host 127.0.0.1`,
    settings,
  );
  await running.says('Server ready');
  return { url: `http://127.0.0.1:${PORT}`, end: () => running.end() };
}
