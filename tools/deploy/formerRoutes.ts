import { ofType, type Resource, type Resources } from './resource.ts';

const METHOD = 'ApiGateway::Method';
const UNKNOWN = 'UnknownRouteLambdaFunction';

const leadsNowhere = ({ Properties }: Resource): boolean => JSON.stringify(Properties.Integration).includes(UNKNOWN);

/** The resources that a method is below of, and which the template may lack. */
function pathOf(deployed: Resources, { Properties: { ResourceId, ParentId } }: Resource): Resources {
  const { Ref = '' } = Object(ResourceId ?? ParentId) as { Ref?: string };
  const parent = deployed[Ref];
  return parent?.Type === 'AWS::ApiGateway::Resource' ? { ...pathOf(deployed, parent), [Ref]: parent } : {};
}

/**
 * Lets the routes that a template no longer has lead to the function of unknown routes, for one deployment. CloudFormation deletes
 * last: a snapshot of the API still has them, and would serve them by functions that are gone a moment later. The next deployment
 * leaves them out: its snapshot has them as they are then.
 *
 * @param deployed what the stack has
 */
export function keepFormerRoutes(compiled: Resources, deployed: Resources): void {
  const [, unknown] = ofType(compiled, METHOD).find(([, method]) => leadsNowhere(method)) ?? [];
  const [[, snapshot] = []] = ofType(compiled, 'ApiGateway::Deployment');
  if (!unknown || !snapshot)
    throw new Error('The template has no route for unknown paths, or no deployment of its API');
  for (const [id, method] of ofType(deployed, METHOD)) {
    if (compiled[id] || leadsNowhere(method)) continue;
    const { HttpMethod, ResourceId } = method.Properties;
    Object.assign(compiled, { ...pathOf(deployed, method), ...compiled });
    compiled[id] = { ...unknown, Properties: { ...unknown.Properties, HttpMethod, ResourceId } };
    snapshot.DependsOn = [...[snapshot.DependsOn ?? []].flat(), id];
  }
}
