import { CREDENTIALS, REGION } from './standIn.ts';

/** Calls services of the stand-in as its owner, whose signature it does not check: no client of these services is needed. */
export function ownerOf(endpoint: string) {
  async function send(
    service: string,
    path: string,
    headers: Record<string, string>,
    input?: object,
  ): Promise<Response> {
    const scope = `${CREDENTIALS.AWS_ACCESS_KEY_ID}/20260101/${REGION}/${service}/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`;
    const body = input && { method: 'POST', body: JSON.stringify(input) };
    const response = await fetch(`${endpoint}${path}`, { headers: { ...headers, authorization }, ...body });
    if (!response.ok) throw new Error(`${path} ${response.status} ${await response.text()}`);
    return response;
  }
  return {
    /** An operation of a service that speaks JSON. */
    async call<Answer>(service: string, operation: string, input: object): Promise<Answer> {
      const headers = { 'x-amz-target': operation, 'content-type': 'application/x-amz-json-1.1' };
      return (await (await send(service, '/', headers, input)).json()) as Answer;
    },
    invoke: async (name: string, event: object): Promise<unknown> =>
      (await send('lambda', `/2015-03-31/functions/${name}/invocations`, {}, event)).json(),
    /** A file of S3, or a list of them. */
    read: async (path: string): Promise<Buffer> => Buffer.from(await (await send('s3', path, {})).arrayBuffer()),
  };
}
