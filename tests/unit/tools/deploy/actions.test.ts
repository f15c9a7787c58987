import { expect, test } from 'vitest';
import { readTemplate } from '../../../support/cloudFormation.ts';
import { doorTemplates } from '../../../support/doorTemplates.ts';
import { read } from '../../../support/files.ts';

/** The actions for resources of each type: `npm run lint:templates` compares them with all templates and with the schemas of CloudFormation. */
const { actions, doors, stage }: { actions: Record<string, string>; doors: string[]; stage: string[] } = JSON.parse(
  read('tools/check/lint/actions.json'),
);

interface Statement {
  Effect: string;
  Action: string | string[];
}

/** The actions that a role for deployments has, which may end with an asterisk. */
function allowedBy(file: string): RegExp[] {
  const { Statement } = readTemplate(file).Resources.Role.Properties.Policies[0].PolicyDocument;
  const statements: Statement[] = Statement.map(
    (each: { 'Fn::If'?: [string, Statement] }) => each['Fn::If']?.[1] ?? each,
  );
  const allowed = statements.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action);
  return allowed.map((action) => new RegExp(`^${action.replaceAll('*', '.*')}$`, 'i'));
}

const missingIn = (file: string, types: readonly string[]): string[] => {
  const allowed = allowedBy(file);
  const wanted = [...new Set(types.flatMap((type) => String(actions[type]).split(' ')))];
  return wanted.filter((action) => !allowed.some((each) => each.test(action))).sort();
};

/** The actions for properties that no template here has, of any type. */
const UNUSED = [
  // Networks, files and signed code of functions, and runtimes by alias.
  /^ec2:|^elasticfilesystem:|^s3files:|CodeSigningConfig$|^lambda:(AssociateRuntimeAlias|PassCapacityProvider|PublishVersion)$/,
  // Tables and log groups that send to other services, or come from there.
  /^s3tables:|^kinesis:|^firehose:TagDeliveryStream$|KinesisStreamingDestination$|^dynamodb:(DescribeImport|ImportTable|\w*TableReplica)$/,
];

/** Refused on purpose: a deployment neither reads users, nor lets others read them, nor takes away a boundary. */
const REFUSED_AT_STAGE = [
  /^dynamodb:(\w+Item|Query|Scan|PutResourcePolicy|DeleteResourcePolicy)$/,
  /^events:(Put|Remove)Permission$/,
  /^iam:(Attach|Detach)RolePolicy$|^iam:DeleteRolePermissionsBoundary$|^iam:Update/,
  // Of a key that a table has once there is a grant, and of an action that does not exist.
  /^kms:(ListAliases|RevokeGrant|ReEncrypt)$/,
];

test('the role for deployments of a stage has the actions that CloudFormation names for its resources', () => {
  const missing = missingIn('tools/deploy/stacks/deploy-role.yml', stage);
  const excused = [...UNUSED, ...REFUSED_AT_STAGE];
  expect(missing.filter((action) => !excused.some((each) => each.test(action)))).toEqual([]);
  // An excuse that nobody needs hides the next one.
  expect(excused.filter((each) => !missing.some((action) => each.test(action)))).toEqual([]);
});

/** Properties that no template of a door has, besides those of stages. */
const UNUSED_AT_DOORS = [
  // Catalogs of Lake Formation, connections of Glue, streams with encryption, secrets in two regions, policies of users and groups.
  /^lakeformation:|Connection$|^glue:GetSchemaVersion$|DeliveryStreamEncryption$|^secretsmanager:\w*Regions\w*$|^iam:\w+(User|Group)Policy$/,
  // The first pages of an API from a file of S3, and its tags, which API Gateway asks for as PUT.
  /^apigateway:(Tag|Untag)Resource$/,
];

test('the role for deployments of a door has them, too', () => {
  const missing = missingIn('tools/deploy/stacks/door-role.yml', doors);
  const excused = [...UNUSED, ...REFUSED_AT_STAGE, ...UNUSED_AT_DOORS];
  expect(missing.filter((action) => !excused.some((each) => each.test(action)))).toEqual([]);
});

test('the list has the types of the templates of doors', () => {
  const types = doorTemplates().flatMap(({ resources }) => resources.map(([, { Type }]) => Type));
  expect(types.filter((type) => !doors.includes(type) || actions[type] === undefined)).toEqual([]);
});

test.each(['deploy-role', 'door-role', 'drill-role'])(
  'IAM takes the policies of %s: 10,240 characters in a role, 6,144 in a boundary',
  (name) => {
    const { Role, Boundary } = readTemplate(`tools/deploy/stacks/${name}.yml`).Resources;
    const lengthOf = (policy: object) =>
      JSON.stringify(policy)
        .replaceAll(/\{"Fn::Sub":("[^"]*")\}/g, '$1')
        .replaceAll('${AWS::Partition}', 'aws')
        .replaceAll('${AWS::Region}', 'ap-southeast-2')
        .replaceAll('${AWS::AccountId}', '123456789012')
        .replaceAll('${Stage}', 'abcdef')
        .replaceAll('${Door}', 'retention').length;
    expect(lengthOf(Role.Properties.Policies[0].PolicyDocument)).toBeLessThan(10_240);
    expect(lengthOf(Boundary?.Properties.PolicyDocument ?? {})).toBeLessThan(6_144);
  },
);
