import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SignatureV4 } from '@smithy/signature-v4';
import { CREDENTIALS, REGION } from './standIn.ts';

interface Request {
  headers: Record<string, string>;
  method: string;
  path: string;
  body?: string | undefined;
}

/** The stand-in checks no signature. */
function unsigned(service: string, { headers }: Request): Record<string, string> {
  const scope = `${CREDENTIALS.AWS_ACCESS_KEY_ID}/20260101/${REGION}/${service}/aws4_request`;
  return { ...headers, authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none` };
}

/** Signs as the SDK does, with its credentials. */
async function signed(service: string, region: string, url: URL, request: Request): Promise<Record<string, string>> {
  const { credentials, sha256 } = new CloudFormationClient({ region }).config;
  const signer = new SignatureV4({ service, region, credentials, sha256, uriEscapePath: service !== 's3' });
  const headers = { ...request.headers, host: url.host };
  const query = Object.fromEntries(url.searchParams);
  const { hostname, pathname, protocol } = url;
  const whole = { ...request, body: request.body, headers, hostname, path: pathname, protocol, query };
  return (await signer.sign(whole)).headers;
}

/** Calls services as the owner of the account: of the stand-in, or of AWS without an endpoint. No client of these services is needed. */
export function ownerOf(endpoint: string | undefined, region: string = REGION) {
  async function send(service: string, path: string, headers: Record<string, string>, input?: object, method?: string) {
    const url = new URL(`${endpoint ?? `https://${service}.${region}.amazonaws.com`}${path}`);
    const body = input && JSON.stringify(input);
    const request = { headers, method: method ?? (input ? 'POST' : 'GET'), path, body };
    const sent = endpoint ? unsigned(service, request) : await signed(service, region, url, request);
    const response = await fetch(url, { method: request.method, headers: sent, body: body ?? null });
    if (!response.ok) throw new Error(`${path} ${response.status} ${await response.text()}`);
    return response;
  }
  return {
    /** An operation of a service that speaks JSON. */
    async call<Answer>(service: string, operation: string, input: object): Promise<Answer> {
      const headers = { 'x-amz-target': operation, 'content-type': 'application/x-amz-json-1.1' };
      const text = await (await send(service, '/', headers, input)).text();
      return (text === '' ? {} : JSON.parse(text)) as Answer;
    },
    invoke: async (name: string, event: object): Promise<unknown> =>
      (await send('lambda', `/2015-03-31/functions/${name}/invocations`, {}, event)).json(),
    /** Whether a role of the stand-in may do something with a resource, by its policies. */
    async mayDo(role: string, action: string, resource: string): Promise<boolean> {
      const query = new URLSearchParams({
        ...{ Action: 'SimulatePrincipalPolicy', Version: '2010-05-08' },
        ...{ PolicySourceArn: `arn:aws:iam::000000000000:role/${role}` },
        ...{ 'ActionNames.member.1': action, 'ResourceArns.member.1': resource },
      });
      const answer = await (await send('iam', `/?${query}`, {})).text();
      return answer.includes('<EvalDecision>allowed<');
    },
    /** A file of S3, or a list of them. */
    read: async (path: string): Promise<Buffer> => Buffer.from(await (await send('s3', path, {})).arrayBuffer()),
    /** Deletes a file of S3, or one of its versions, even if it is locked for those without the permission to do so. */
    async erase(path: string): Promise<void> {
      await send('s3', path, { 'x-amz-bypass-governance-retention': 'true' }, undefined, 'DELETE');
    },
  };
}
