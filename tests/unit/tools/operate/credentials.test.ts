import { expect, test } from 'vitest';
import { folderForTest, runProgram } from '../../../support/programs.ts';

test.each([
  ['deploy', 'deployed'],
  ['verify', 'verified'],
])('without AWS credentials npm run %s says so in a sentence, before it asks AWS anything', async (program, done) => {
  // A machine of AWS may have some of its own.
  const nowhere = { HOME: folderForTest(), AWS_EC2_METADATA_DISABLED: 'true', OIDC_ISSUER: 'none' };
  const options = [`tools/operate/${program}.ts`, '--stage', 'dev', '--region', 'eu-central-1'];
  const sentence = `Nothing was ${done}: there are no AWS credentials (Could not load credentials from any providers). `;
  const advice =
    'Name a profile in AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN).\n';
  const ended = await runProgram(process.execPath, options, { env: nowhere });
  expect(ended).toEqual({ code: 2, stdout: '', stderr: sentence + advice });
});
