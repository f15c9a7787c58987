import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { CREDENTIALS, REGION } from './standIn.ts';

/** A user pool of the stand-in, with what the stand-in does not do: CloudTrail's events, and the trigger after a confirmation. */
export async function makeUserPool(endpoint: string) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = CREDENTIALS;
  const events = new EventBridgeClient({ endpoint, region: REGION, credentials: { accessKeyId, secretAccessKey } });

  // The stand-in checks no signature of its owner, so no client of these services is needed.
  async function send(service: string, path: string, headers: Record<string, string>, input: object): Promise<unknown> {
    const scope = `${accessKeyId}/20260101/${REGION}/${service}/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`;
    const body = JSON.stringify(input);
    const response = await fetch(`${endpoint}${path}`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body,
    });
    if (!response.ok) throw new Error(`${path} ${response.status} ${await response.text()}`);
    return response.json();
  }

  const call = async <Answer>(operation: string, input: object) => {
    const target = `AWSCognitoIdentityProviderService.${operation}`;
    const headers = { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.1' };
    return (await send('cognito-idp', '/', headers, input)) as Answer;
  };

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
      send(
        'lambda',
        `/2015-03-31/functions/${arn}/invocations`,
        {},
        {
          triggerSource: 'PostConfirmation_ConfirmSignUp',
          request: { userAttributes: { sub } },
        },
      ),
  };
}
