import type { CreateTableCommandInput, TableDescription } from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../lib/users/database.ts';
import type { Existing } from './existing.ts';
import { isSameShape } from './tables.ts';

interface Wish {
  stage: string;
  isAdopting: boolean;
  users: CreateTableCommandInput;
  directory: CreateTableCommandInput;
}

const ADOPTION = 'docs/runbook.md, "A stack that is gone"';

/** Tables that outlived their stack are used only if somebody asks for it. */
export const askForAdoption = ({ users, directory }: TableNames, stage: string): string =>
  `Tables ${users} and ${directory} already exist and belong to no stack: deploy with --adopt to use them for stage ${stage} (${ADOPTION}).`;

/** The first table that is not as the template has it: CloudFormation would import it, and not change it. */
function mismatchOf(tables: [found: TableDescription, wanted: CreateTableCommandInput][]): string | undefined {
  for (const [found, wanted] of tables) {
    const name = `Table ${wanted.TableName}`;
    if (!isSameShape(found, wanted))
      return `${name} has other keys, attributes or indexes than this version: adopt it with the version that was deployed last, then deploy this one.`;
    if (wanted.StreamSpecification && !found.StreamSpecification?.StreamEnabled)
      return `${name} has no stream: give it what a restored table lacks (docs/runbook.md, "Restore", step 3), then deploy again.`;
    const key = wanted.SSESpecification?.KMSMasterKeyId;
    const given = found.SSEDescription?.KMSMasterKeyArn;
    if (key !== undefined && key !== given)
      return `${name} is encrypted with another key than KMS_KEY: give it this key with "aws dynamodb update-table", then deploy again.`;
    if (key === undefined && given !== undefined)
      return `${name} is encrypted with the KMS key ${given}: set KMS_KEY to it, or end that with "aws dynamodb update-table --sse-specification Enabled=false --table-name ${wanted.TableName}", then deploy again.`;
  }
  return undefined;
}

/** Why a stage cannot be deployed with the existing tables, and what to do, in one sentence. Undefined if it can. */
export function refusalOf(found: Existing, { stage, isAdopting, ...wanted }: Wish): string | undefined {
  if (found.hasTables) return undefined;
  const { TableName: users = '' } = wanted.users;
  const { TableName: directory = '' } = wanted.directory;
  if (!found.users && !found.directory) {
    return isAdopting ? `There are no tables ${users} and ${directory} to adopt: leave out --adopt.` : undefined;
  }
  if (!found.users || !found.directory) {
    const [there, missing] = found.users ? [users, directory] : [directory, users];
    return `Table ${there} exists without ${missing} and belongs to no stack: restore the other one, too, or delete this one (${ADOPTION}).`;
  }
  if (!isAdopting) return askForAdoption({ users, directory }, stage);
  return mismatchOf([
    [found.users, wanted.users],
    [found.directory, wanted.directory],
  ]);
}

interface ChangeSets {
  getCreateChangeSetParams?: (request: object) => object;
}

/**
 * Lets a deployment import existing resources that have names of the template and outlive the stack: adopted tables, and log
 * groups of a stage or function that existed before. The framework has no setting for it.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 *
 * @param name of the framework's plugin that makes the change set
 */
export function importExisting(plugins: readonly object[], name: 'AwsDeploy' | 'AwsRollback'): void {
  const deployment: ChangeSets | undefined = plugins.find((plugin) => plugin.constructor.name === name);
  const original = deployment?.getCreateChangeSetParams;
  if (!deployment || !original) throw new Error('The framework no longer makes change sets as this plugin expects');
  deployment.getCreateChangeSetParams = (request) => ({
    ...original.call(deployment, request),
    ImportExistingResources: true,
  });
}
