/** Answers in SCIM's form (RFC 7644, section 3.12), and the failures that become one. */

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A failure that the caller is told. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: string | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string, scimType?: string, headers: Record<string, string> = {}) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
    this.headers = headers;
  }
}

export const answer = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/scim+json', ...headers } });

export const refused = ({ status, message, scimType, headers }: ScimError): Response =>
  answer(status, { schemas: [ERROR], status: String(status), ...(scimType && { scimType }), detail: message }, headers);

/** A page of resources, and how many there are in all. */
export interface Page<Resource> {
  total: number;
  resources: Resource[];
  /** Of the first of them, from 1 on. */
  startIndex?: number;
  nextCursor?: string | undefined;
}

export const listed = ({ total, resources, startIndex, nextCursor }: Page<object>): Response =>
  answer(200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    itemsPerPage: resources.length,
    ...(startIndex !== undefined && { startIndex }),
    ...(nextCursor !== undefined && { nextCursor }),
    Resources: resources,
  });
