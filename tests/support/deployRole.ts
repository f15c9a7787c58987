import { readFileSync } from 'node:fs';
import { type CollectionTag, parse, type ScalarTag } from 'yaml';
import type { PolicyStatement } from './iam.ts';

const FILE = new URL('../../docs/deploy-role.yml', import.meta.url);

export const PARTITION = 'aws';
export const REGION = 'eu-central-1';
export const ACCOUNT = '123456789012';

interface Parameter {
  AllowedPattern: string;
  ConstraintDescription: string;
}
interface Template {
  Parameters: { Stage: Parameter };
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

const valuesOf = (stage: string): Record<string, string> => ({
  'AWS::Partition': PARTITION,
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  Stage: stage,
  Repository: 'owner/name',
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

/** The functions of CloudFormation that a policy uses. Others are not read. */
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
    { tag: '!Equals', collection: 'seq', resolve: (node) => node },
  ];
}

const templates = new Map<string, Template>();

function readTemplate(stage: string): Template {
  const template: Template =
    templates.get(stage) ?? parse(readFileSync(FILE, 'utf8'), { customTags: tagsOf(valuesOf(stage)) });
  templates.set(stage, template);
  return template;
}

export const stageParameter = (): Parameter => readTemplate('dev').Parameters.Stage;

/** docs/deploy-role.yml as CloudFormation resolves it for a stage. */
export function deployRole(stage: string): DeployRole {
  const { Role, Boundary } = readTemplate(stage).Resources;
  return {
    trust: Role?.Properties.AssumeRolePolicyDocument?.Statement ?? [],
    deployer: Role?.Properties.Policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [],
    boundary: Boundary?.Properties.PolicyDocument?.Statement ?? [],
  };
}
