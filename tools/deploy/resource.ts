/** A resource of a CloudFormation template. */
export interface Resource {
  Type: string;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string | string[];
  Properties: Record<string, unknown>;
}
