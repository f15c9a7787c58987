import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { ownerOf } from './owner.ts';
import { CREDENTIALS, REGION } from './standIn.ts';

/** A user pool of the stand-in, with what the stand-in does not do: CloudTrail's events, and the trigger after a confirmation. */
export async function makeUserPool(endpoint: string) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = CREDENTIALS;
  const events = new EventBridgeClient({ endpoint, region: REGION, credentials: { accessKeyId, secretAccessKey } });

  const owner = ownerOf(endpoint);
  const call = <Answer>(operation: string, input: object) =>
    owner.call<Answer>('cognito-idp', `AWSCognitoIdentityProviderService.${operation}`, input);

  const { UserPool } = await call<{ UserPool: { Id: string } }>('CreateUserPool', { PoolName: 'people' });
  const UserPoolId = UserPool.Id;
  return {
    id: UserPoolId,
    /** @returns the sub */
    async create(Username: string): Promise<string> {
      const input = { UserPoolId, Username, UserAttributes: [{ Name: 'name', Value: Username }] };
      const { User } = await call<{ User: { Attributes: { Name: string; Value: string }[] } }>(
        'AdminCreateUser',
        input,
      );
      return String(User.Attributes.find(({ Name }) => Name === 'sub')?.Value);
    },
    remove: (Username: string) => call<object>('AdminDeleteUser', { UserPoolId, Username }),
    /** Sends the event of CloudTrail for a call. It does not have the user that the call named. */
    async tell(eventName: string, sub: string): Promise<void> {
      const requestParameters = { userPoolId: UserPoolId, username: 'HIDDEN_DUE_TO_SECURITY_REASONS' };
      const eventSource = 'cognito-idp.amazonaws.com';
      const Detail = JSON.stringify({ eventSource, eventName, requestParameters, additionalEventData: { sub } });
      const Entries = [{ Source: 'aws.cognito-idp', DetailType: 'AWS API Call via CloudTrail', Detail }];
      const { FailedEntryCount } = await events.send(new PutEventsCommand({ Entries }));
      if (FailedEntryCount !== 0) throw new Error(`The bus does not take the event of ${eventName}`);
    },
    /** Calls a function as a trigger of Cognito. */
    trigger: (arn: string, sub: string) =>
      owner.invoke(arn, {
        triggerSource: 'PostConfirmation_ConfirmSignUp',
        request: { userAttributes: { sub } },
      }),
  };
}
