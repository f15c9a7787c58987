/** A resource of a CloudFormation template. */
export interface Resource {
  Type: string;
  DependsOn?: string | string[];
  Properties: Record<string, unknown>;
}
