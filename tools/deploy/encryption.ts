/**
 * Encrypts the tables with a key of the account's own, the stage parameter `kmsKey`. Without it, a key that DynamoDB owns does, which
 * needs no permissions and costs nothing. `SSEEnabled` alone would take the account's key `aws/dynamodb`: its uses are charged, and
 * denied by a permissions boundary without KMS.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.howitworks.html
 */
import type { Permission } from './permissions.ts';
import { ofType, type Resources } from './resource.ts';

/** Not an alias: IAM limits permissions to keys. `mrk-` begins the id of a multi-Region key. */
const KEY = /^arn:[\w-]+:kms:(?<region>[\w-]+):\d{12}:key\/(mrk-)?[0-9a-f-]{32,36}$/;

/** Why a key cannot encrypt the tables of a region, in one sentence. Undefined if it can, or if there is none. */
export function refusalOfKey(kmsKey: string, region: string): string | undefined {
  if (kmsKey === '' || KEY.exec(kmsKey)?.groups?.region === region) return undefined;
  return `KMS_KEY must be the ARN of a KMS key of region ${region}, such as arn:aws:kms:${region}:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab, or be empty. It is ${kmsKey}.`;
}

/**
 * Indexes, streams and backups have the key of their table. `SSEEnabled: false` is what a new table has without it, too. But an update from
 * a key has been refused where the setting was only left out.
 * https://github.com/aws/aws-cdk/issues/8286
 */
export function encryptTables(resources: Resources, kmsKey: string): void {
  const owned = { SSEEnabled: false };
  const own = { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: kmsKey };
  for (const [, { Properties }] of ofType(resources, 'DynamoDB::Table'))
    Properties.SSESpecification = kmsKey === '' ? owned : own;
}

/**
 * DynamoDB uses the key in the name of the reader or writer of a table. Nobody can use it in any other way. DynamoDB gets a grant for
 * its own work from the maker of a table, so functions need no `CreateGrant`.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
const USES = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** The permissions of a function, and for the key if it has any on tables. */
export function withKey(permissions: readonly Permission[], kmsKey: string): Permission[] {
  if (kmsKey === '' || permissions.length === 0) return [...permissions];
  const service = { 'Fn::Sub': 'dynamodb.${AWS::Region}.amazonaws.com' };
  const use = { Action: USES, Resource: [kmsKey], Condition: { StringEquals: { 'kms:ViaService': service } } };
  return [...permissions, use];
}
