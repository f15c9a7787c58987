import type { Resource, Resources } from '../../deploy/resource.ts';
import { add, ISSUES, type Rule, textAt, tooMany } from './rule.ts';

/** The types of resources whose names are unique, and the properties that name them. */
const NAMED: Record<string, string[]> = {
  'ApiGateway::Authorizer': ['RestApiId', 'Name'],
  'ApiGateway::BasePathMapping': ['DomainName', 'BasePath'],
  'ApiGateway::GatewayResponse': ['RestApiId', 'ResponseType'],
  'ApiGateway::Method': ['ResourceId', 'HttpMethod'],
  'ApiGateway::Resource': ['ParentId', 'PathPart'],
  'ApiGateway::Stage': ['RestApiId', 'StageName'],
  'CloudWatch::Alarm': ['AlarmName'],
  'CloudWatch::Dashboard': ['DashboardName'],
  'DynamoDB::Table': ['TableName'],
  'Events::EventBus': ['Name'],
  'IAM::ManagedPolicy': ['ManagedPolicyName'],
  'Lambda::EventSourceMapping': ['EventSourceArn', 'FunctionName'],
  'Lambda::Function': ['FunctionName'],
  'Logs::LogGroup': ['LogGroupName'],
};

/** Below one part of a path, API Gateway takes one variable: https://github.com/serverless/serverless/issues/3075 */
const comparable = (key: string, value: unknown): unknown =>
  key === 'PathPart' ? textAt(value).replace(/^\{.*\}$/, '{}') : value;

/** Undefined if CloudFormation chooses the name. */
function nameOf({ Type, Properties = {} }: Resource): unknown[] | undefined {
  const type = Type.replace('AWS::', '');
  const by = NAMED[type]?.filter((key) => Properties[key] !== undefined) ?? [];
  return by.length > 0 ? [type, ...by.map((key) => comparable(key, Properties[key]))] : undefined;
}

const namesIn = (resources: Resources): [id: string, name: string][] =>
  Object.entries(resources).flatMap(([id, resource]) => {
    const name = nameOf(resource);
    return name ? [[id, JSON.stringify(name)] as [string, string]] : [];
  });

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
      Object.assign(resources, { Bus: resources.EventBus });
      delete resources.EventBus;
    },
  },
];
