import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The path of the program of the embedded DynamoDB. `npm ci` installs it on Linux x64.
 *
 * @throws {Error} that says what to do if there is none for the platform
 */
export function storeProgram(platform = `${process.platform}-${process.arch}`): string {
  const name = `@dynoxide/${platform}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, platform.startsWith('win32') ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    throw new Error(
      `There is no embedded DynamoDB for ${platform} here. Install ${name} with "npm install --no-save", if npm has it, or start any ` +
        'DynamoDB-compatible server, such as "docker run -p 8000:8000 amazon/dynamodb-local", and set ' +
        'AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000.',
    );
  }
}
