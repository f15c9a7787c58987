import { isDeepStrictEqual } from 'node:util';
import type { Resource } from '../../deploy/resource.ts';
import { add, at, ISSUES, type Resources, type Rule, TEMPLATES, textAt, tooMany } from './rule.ts';

/** What can exist once: the properties that name it, and the others that CloudFormation changes only by making a new one. */
const NAMED: Record<string, { by: string[]; fixed?: string[] }> = {
  'ApiGateway::Authorizer': { by: ['RestApiId', 'Name'] },
  'ApiGateway::BasePathMapping': { by: ['DomainName', 'BasePath'] },
  'ApiGateway::GatewayResponse': { by: ['RestApiId', 'ResponseType'] },
  'ApiGateway::Method': { by: ['ResourceId', 'HttpMethod'] },
  'ApiGateway::Resource': { by: ['ParentId', 'PathPart'] },
  'ApiGateway::Stage': { by: ['RestApiId', 'StageName'] },
  'CloudWatch::Alarm': { by: ['AlarmName'] },
  'CloudWatch::Dashboard': { by: ['DashboardName'] },
  'DynamoDB::Table': { by: ['TableName'], fixed: ['KeySchema', 'LocalSecondaryIndexes'] },
  'Events::EventBus': { by: ['Name'] },
  'IAM::ManagedPolicy': { by: ['ManagedPolicyName'], fixed: ['Description', 'Path'] },
  'Lambda::EventSourceMapping': { by: ['EventSourceArn', 'FunctionName'], fixed: ['StartingPosition'] },
  'Lambda::Function': { by: ['FunctionName'], fixed: ['PackageType'] },
  'Logs::LogGroup': { by: ['LogGroupName'] },
};

/** Below one part of a path, API Gateway takes one variable: https://github.com/serverless/serverless/issues/3075 */
const comparable = (key: string, value: unknown): unknown =>
  key === 'PathPart' ? textAt(value).replace(/^\{.*\}$/, '{}') : value;

/** Undefined if CloudFormation chooses the name. */
function nameOf({ Type, Properties = {} }: Resource): unknown[] | undefined {
  // A deployment that names a stage makes it.
  const makesStage = Type.endsWith('::Deployment') && Properties.StageName !== undefined;
  const type = makesStage ? 'ApiGateway::Stage' : Type.replace('AWS::', '');
  const by = NAMED[type]?.by.filter((key) => Properties[key] !== undefined) ?? [];
  return by.length > 0 ? [type, ...by.map((key) => comparable(key, Properties[key]))] : undefined;
}

const namesIn = (resources: Resources): [id: string, name: string][] =>
  Object.entries(resources).flatMap(([id, resource]) => {
    const name = nameOf(resource);
    return name ? [[id, JSON.stringify(name)] as [string, string]] : [];
  });

const typeOfAttribute = ({ Properties }: Resource, name: unknown): unknown =>
  at(
    [Properties.AttributeDefinitions ?? []].flat().find((each) => at(each, 'AttributeName') === name),
    'AttributeType',
  );

/** Whether CloudFormation must make another resource. */
function needsNewOne(after: Resource, before: Resource): boolean {
  const fixed = NAMED[after.Type.replace('AWS::', '')]?.fixed ?? [];
  return (
    fixed.some((key) => !isDeepStrictEqual(after.Properties[key], before.Properties[key])) ||
    [after.Properties.AttributeDefinitions ?? []].flat().some((attribute) => {
      const there = typeOfAttribute(before, at(attribute, 'AttributeName'));
      return there !== undefined && there !== at(attribute, 'AttributeType');
    })
  );
}

export const NAME_RULES: Rule[] = [
  {
    says: 'No two resources of a template have one name',
    source: `${ISSUES}/aws/aws-cdk/issues/6942`,
    offenders: (resources) => tooMany(namesIn(resources), 1),
    breaks: add('ApiGateway::Resource', { PathPart: '{id}' }, { PathPart: '{file}' }),
  },
  {
    says: 'A name stays with its logical id: a resource is made before the one that had its name is deleted',
    source: `${ISSUES}/serverless/serverless/issues/1677`,
    offenders: (resources, before) => {
      const owners = new Map(namesIn(before).map(([id, name]) => [name, id]));
      return namesIn(resources).flatMap(([id, name]) => ((owners.get(name) ?? id) === id ? [] : id));
    },
    breaks: (resources) => {
      const { EventBus, ...rest } = resources;
      for (const id of Object.keys(resources)) delete resources[id];
      Object.assign(resources, rest, { Bus: EventBus });
    },
  },
  {
    says: 'Nothing with a name changes in a way that needs a new one',
    source: `${TEMPLATES}/aws-properties-name.html`,
    offenders: (resources, before) => {
      const names = new Map(namesIn(before));
      return namesIn(resources).flatMap(([id, name]) => {
        const [after, there] = [resources[id], before[id]];
        return after && there && names.get(id) === name && needsNewOne(after, there) ? id : [];
      });
    },
    breaks: ({ DirectoryTable }) => {
      Object.assign(DirectoryTable?.Properties ?? {}, { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] });
    },
  },
];
