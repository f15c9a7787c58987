import { ofType, type Resource, type Resources } from '../../deploy/resource.ts';

type Properties = Resource['Properties'];

/** Something that AWS refuses, or that fails later on AWS, and that neither cfn-lint nor the stand-in for AWS knows. */
export interface Rule {
  says: string;
  /** Where AWS, or somebody who met it, says so. */
  source: string;
  /**
   * @param before what is deployed already
   * @returns the logical ids of what breaks the rule
   */
  offenders(resources: Resources, before: Resources): string[];
  /** Changes the template of a stage with all parts so that it breaks the rule: tests see that each rule can fail. */
  breaks(resources: Resources): void;
}

export const AWS = 'https://docs.aws.amazon.com';
export const TEMPLATES = `${AWS}/AWSCloudFormation/latest/TemplateReference`;
export const ISSUES = 'https://github.com';

/** The value at a path. Undefined if there is none. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((found, key) => Reflect.get(Object(found), key), value);

export const listAt = (value: unknown, ...path: string[]): unknown[] => [at(value, ...path) ?? []].flat();

export const textAt = (value: unknown, ...path: string[]): string => String(at(value, ...path) ?? '');

/** The resources of a type that are wrong. */
export const each =
  (type: string, isWrong: (properties: Properties, id: string, resources: Resources) => boolean): Rule['offenders'] =>
  (resources) =>
    ofType(resources, type).flatMap(([id, { Properties = {} }]) => (isWrong(Properties, id, resources) ? id : []));

/** The resources of which there are too many with one key. */
export function tooMany(keys: [id: string, key: unknown][], limit: number): string[] {
  const groups = Object.groupBy(keys, ([, key]) => JSON.stringify(key));
  return Object.values(groups).flatMap((group = []) => (group.length > limit ? group.map(([id]) => id) : []));
}

/** For `breaks`: alters the last resource of a type. */
export const alter =
  (type: string, properties: object, attributes: Partial<Resource> = {}): Rule['breaks'] =>
  (resources) => {
    const [, resource] = ofType(resources, type).at(-1) ?? [];
    Object.assign(resource ?? {}, attributes);
    Object.assign(resource?.Properties ?? {}, properties);
  };

/** For `breaks`: adds resources. */
export const add =
  (type: string, ...all: Properties[]): Rule['breaks'] =>
  (resources) =>
    all.forEach((Properties, i) => {
      resources[`Added${i}`] = { Type: `AWS::${type}`, Properties };
    });
