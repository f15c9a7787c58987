import { ofType, type Resources } from '../../deploy/resource.ts';
import { at, listAt, textAt } from './rule.ts';

function idsIn(key: string, value: unknown): string[] {
  if (key === 'Ref') return [String(value)];
  if (key === 'Fn::GetAtt') return [String([value].flat()[0]).split('.')[0] ?? ''];
  if (key === 'Fn::Sub') return [...textAt([value].flat(), '0').matchAll(/\$\{([\w:]+)/g)].map(([, id]) => id ?? '');
  return [];
}

/** The logical ids, parameters and pseudo parameters that a value refers to. */
const referencesOf = (value: unknown): string[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) => [...idsIn(key, inner), ...referencesOf(inner)])
    : [];

/** Everything that CloudFormation makes before a resource, and deletes after it. */
export function madeBefore(resources: Resources, id: string, found = new Set<string>()): Set<string> {
  for (const next of [...listAt(resources, id, 'DependsOn').map(String), ...referencesOf(at(resources, id))]) {
    if (!(next in resources) || found.has(next)) continue;
    found.add(next);
    madeBefore(resources, next, found);
  }
  return found;
}

export const isAfterOne = (resources: Resources, id: string, type: RegExp): boolean =>
  [...madeBefore(resources, id)].some((other) => type.test(resources[other]?.Type ?? ''));

/** The resource of a type that a value refers to. */
export const referenced = (resources: Resources, value: unknown, type: string): string | undefined =>
  referencesOf(value).find((id) => resources[id]?.Type === `AWS::${type}`);

/** Whether the policy of a function or a queue lets a service use it, for one resource if it is given. */
export const mayUse = (resources: Resources, service: string, used: string, source?: string): boolean =>
  [...ofType(resources, 'Lambda::Permission'), ...ofType(resources, 'SQS::QueuePolicy')].some(
    ([, { Properties }]) =>
      referencesOf(Properties.FunctionName ?? Properties.Queues).includes(used) &&
      JSON.stringify(Properties.Principal ?? Properties.PolicyDocument).includes(service) &&
      (source === undefined || referencesOf(Properties.SourceArn).includes(source)),
  );
