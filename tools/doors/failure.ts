import {
  type CloudFormationClient,
  paginateDescribeStackEvents,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';

/** The stack's own event with which each of its operations begins. */
const isBeginning = ({ PhysicalResourceId, StackId, ResourceStatus }: StackEvent): boolean =>
  PhysicalResourceId === StackId && /^(CREATE|UPDATE)_IN_PROGRESS$/.test(String(ResourceStatus));

const isFailure = ({ ResourceStatus }: StackEvent): boolean => ResourceStatus?.endsWith('_FAILED') ?? false;

/** The events of the newest operation of a stack that CloudFormation calls failures, newest first. */
async function failuresOf(client: CloudFormationClient, StackId: string): Promise<StackEvent[]> {
  const found: StackEvent[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: StackId }))
    for (const event of StackEvents) {
      if (isFailure(event) || (event.ResourceStatus?.includes('ROLLBACK') && event.ResourceStatusReason))
        found.push(event);
      if (isBeginning(event)) return found;
    }
  return found;
}

/**
 * The first failure of the newest operation of a stack. Later ones follow from it.
 *
 * @param StackId the whole ARN: by its name nobody finds a stack that CloudFormation has deleted, nor its events
 * @returns a part of a sentence
 */
export async function firstFailure(client: CloudFormationClient, StackId: string): Promise<string> {
  const failures = await failuresOf(client, StackId);
  const first = failures.findLast(isFailure) ?? failures.at(-1);
  if (first === undefined) return 'CloudFormation gives no reason';
  const { LogicalResourceId, ResourceType, ResourceStatus, ResourceStatusReason = 'without a reason' } = first;
  return `${LogicalResourceId} (${ResourceType}) ${ResourceStatus}: ${ResourceStatusReason}`;
}
