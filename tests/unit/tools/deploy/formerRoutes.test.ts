import { expect, test } from 'vitest';
import { keepFormerRoutes } from '../../../../tools/deploy/formerRoutes.ts';
import type { Resource } from '../../../../tools/deploy/resource.ts';

const method = (HttpMethod: string, path: string, name: string): Resource => ({
  Type: 'AWS::ApiGateway::Method',
  DependsOn: [`${name}Permission`],
  Properties: {
    ...{ HttpMethod, ResourceId: { Ref: path }, AuthorizationType: name === 'Unknown' ? 'NONE' : 'CUSTOM' },
    Integration: { Uri: { 'Fn::GetAtt': [`${name}RouteLambdaFunction`, 'Arn'] } },
  },
});

const path = (parent: string): Resource => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { ParentId: { Ref: parent } },
});

/** A template with a route for everything, as the framework compiles it. */
const template = (more: Record<string, Resource>): Record<string, Resource> => ({
  Root: path('Api'),
  AnyRoot: method('ANY', 'Root', 'Unknown'),
  Snapshot: { Type: 'AWS::ApiGateway::Deployment', DependsOn: ['AnyRoot'], Properties: {} },
  ...more,
});

test('a route that is removed leads to the function of unknown routes, and is left out by the next deployment', () => {
  const [Old, OldItem] = [path('Root'), path('Old')];
  const AnyItem = method('ANY', 'OldItem', 'Unknown');
  const deployed = template({
    Old,
    OldItem,
    GetItem: method('GET', 'OldItem', 'Former'),
    AnyItem,
    Former: path('Root'),
  });
  const [second, third] = [template({}), template({})];
  keepFormerRoutes(second, deployed);
  keepFormerRoutes(third, second);
  const kept = template({ Old, OldItem, GetItem: method('GET', 'OldItem', 'Unknown') });
  expect(second).toEqual({ ...kept, Snapshot: { ...kept.Snapshot, DependsOn: ['AnyRoot', 'GetItem'] } });
  expect(third).toEqual(template({}));
});

test('a route that stays keeps its function', () => {
  const GetRoot = method('GET', 'Root', 'Present');
  const compiled = template({ GetRoot });
  keepFormerRoutes(compiled, template({ GetRoot }));
  expect(compiled).toEqual(template({ GetRoot }));
});
