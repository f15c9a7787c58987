/** A resource of a CloudFormation template. */
export interface Resource {
  Type: string;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string | string[];
  Metadata?: Record<string, unknown>;
  Properties: Record<string, unknown>;
}

/** The resources of a template, by their logical ids. */
export type Resources = Record<string, Resource>;

/** The resources of a type, such as `DynamoDB::Table`. */
export const ofType = (resources: Resources, type: string): [id: string, resource: Resource][] =>
  Object.entries(resources).filter(([, { Type }]) => Type === `AWS::${type}`);
