import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Packaged } from './packaging.ts';
import type { Resources } from './resource.ts';

/** Notes in a template what code its functions have: a template that is equal then means the same functions. */
export function noteCode(compiled: Resources, functions: Record<string, Packaged>): void {
  for (const [name, { package: { artifact } = {} }] of Object.entries(functions)) {
    const resource = compiled[`${name.charAt(0).toUpperCase()}${name.slice(1)}LambdaFunction`];
    if (!resource || artifact === undefined)
      throw new Error(`The framework no longer names ${name} as this plugin expects`);
    resource.Metadata = { sha256: createHash('sha256').update(readFileSync(artifact)).digest('hex') };
  }
}

/** A template without the names that the framework makes in each deployment: of the snapshot of the API, and of the place of the code. */
const withoutNames = (template: string): unknown =>
  JSON.parse(
    template
      .replaceAll(/ApiGatewayDeployment\w+/g, 'ApiGatewayDeployment')
      .replaceAll(/"S3Key":\s*"[^"]*"/g, '"S3Key":""'),
  );

/**
 * Whether a stack has what would be deployed. The framework's own check compares with what was uploaded last, which may have been rolled
 * back, and takes each name of a snapshot for a change.
 */
export const isUnchanged = (deployed: string, template: object): boolean =>
  isDeepStrictEqual(withoutNames(deployed), withoutNames(JSON.stringify(template)));
