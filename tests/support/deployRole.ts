import { readFileSync } from 'node:fs';
import { type CollectionTag, parse, type ScalarTag } from 'yaml';
import type { PolicyStatement } from './iam.ts';

const FILE = new URL('../../docs/deploy-role.yml', import.meta.url);

export const PARTITION = 'aws';
export const REGION = 'eu-central-1';
export const ACCOUNT = '123456789012';
export const KMS_KEY = `arn:${PARTITION}:kms:${REGION}:${ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

/** What DynamoDB does with the key of a table, with the permissions of its caller. */
export const KEY_USES =
  'Decrypt DescribeKey Encrypt GenerateDataKey GenerateDataKeyWithoutPlaintext ReEncryptFrom ReEncryptTo';

/** The domain of a stage that has one. */
export const DOMAIN = 'users.example.com';

interface Parameter {
  AllowedPattern: string;
  ConstraintDescription: string;
}
interface Template {
  Parameters: { Stage: Parameter; KmsKey: Parameter; Domain: Parameter };
  Resources: Record<string, { Properties: Properties }>;
}
interface Properties {
  AssumeRolePolicyDocument?: { Statement: object[] };
  Policies?: { PolicyDocument: Policy }[];
  PolicyDocument?: Policy;
}
interface Policy {
  Statement: PolicyStatement[];
}

/** The policies of one stage. */
export interface DeployRole {
  trust: object[];
  /** What the role for deployments may do. */
  deployer: PolicyStatement[];
  /** What the functions of the stage may do at most. */
  boundary: PolicyStatement[];
}

/** The ARN of the boundary, as the template names it. */
export const boundaryArn = (stage: string): string =>
  `arn:${PARTITION}:iam::${ACCOUNT}:policy/user-management-boundary-${stage}`;

const valuesOf = (stage: string, kmsKey: string, repositoryIds: string): Record<string, string> => ({
  'AWS::Partition': PARTITION,
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  Stage: stage,
  Repository: 'owner/name',
  RepositoryIds: repositoryIds,
  CreateProvider: 'no',
  KmsKey: kmsKey,
  Domain: DOMAIN,
  Boundary: boundaryArn(stage),
});

/** Fn::Sub: `${!x}` stands for `${x}`. */
const substitute = (text: string, values: Record<string, string>): string =>
  text.replace(/\$\{(!?)([^}]*)\}/g, (_, literal, name) => {
    if (literal) return `\${${name}}`;
    const value = values[name];
    if (value === undefined) throw new Error(`The test has no value of ${name}`);
    return value;
  });

const listOf = (node: object): unknown[] => (node as { toJSON(): unknown[] }).toJSON();

const isSame = ([left, right]: unknown[]): boolean => left === right;

/** The CloudFormation functions that the policies use. Others are not supported. */
function tagsOf(values: Record<string, string>): (ScalarTag | CollectionTag)[] {
  return [
    { tag: '!Sub', resolve: (text: string) => substitute(text, values) },
    {
      tag: '!Sub',
      collection: 'seq',
      resolve: (node) => {
        const [text, more] = (node as { toJSON(): [string, Record<string, string>] }).toJSON();
        return substitute(text, { ...values, ...more });
      },
    },
    { tag: '!Ref', resolve: (name: string) => values[name] ?? name },
    { tag: '!GetAtt', resolve: (name: string) => name },
    { tag: '!Equals', collection: 'seq', resolve: (node) => isSame(listOf(node)) },
    { tag: '!Not', collection: 'seq', resolve: (node) => !listOf(node)[0] },
    { tag: '!If', collection: 'seq', resolve: (node) => node },
    { tag: '!Split', collection: 'seq', resolve: (node) => String(listOf(node)[1]).split(String(listOf(node)[0])) },
    { tag: '!Select', collection: 'seq', resolve: (node) => Object(listOf(node)[1])[Number(listOf(node)[0])] },
  ];
}

/** Members of lists that are Fn::If, a condition and two values, become the value that holds, if any. */
function withoutChoices(value: unknown, conditions: Record<string, boolean>): unknown {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutChoices(each, conditions)]));
  }
  return value.flatMap((each) => {
    const isChoice = Array.isArray(each) && String(each[0]) in conditions;
    const chosen: unknown = isChoice ? each[conditions[each[0]] ? 1 : 2] : each;
    return chosen === 'AWS::NoValue' ? [] : [withoutChoices(chosen, conditions)];
  });
}

const templates = new Map<string, Template>();

function readTemplate(stage: string, kmsKey: string, repositoryIds = ''): Template {
  const name = `${stage} ${kmsKey} ${repositoryIds}`;
  const known = templates.get(name);
  if (known) return known;
  const template = parse(readFileSync(FILE, 'utf8'), { customTags: tagsOf(valuesOf(stage, kmsKey, repositoryIds)) });
  const read = { ...template, Resources: withoutChoices(template.Resources, template.Conditions) };
  templates.set(name, read);
  return read;
}

export const parametersOfRole = () => readTemplate('dev', '').Parameters;

/**
 * docs/deploy-role.yml as CloudFormation resolves it for a stage.
 *
 * @param kmsKey the key of the account's own that encrypts its tables; empty for DynamoDB's key
 * @param repositoryIds the ids that a repository at GitHub says with its name; empty for none
 */
export function deployRole(stage: string, kmsKey = '', repositoryIds = ''): DeployRole {
  const { Role, Boundary } = readTemplate(stage, kmsKey, repositoryIds).Resources;
  return {
    trust: Role?.Properties.AssumeRolePolicyDocument?.Statement ?? [],
    deployer: Role?.Properties.Policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [],
    boundary: Boundary?.Properties.PolicyDocument?.Statement ?? [],
  };
}
