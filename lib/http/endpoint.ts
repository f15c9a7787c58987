/** A request that runs: docs/requests.http has each, and the first is what the rehearsal and the test of permissions send. */
export interface Example {
  /** Instead of the summary. */
  title?: string;
  /** Without its question mark. */
  query?: string;
  /** `{etag}` stands for that of the user who was created. */
  headers?: Readonly<Record<string, string>>;
  /** The body. In it `{id}` stands for the id of the user who was created. */
  json?: object;
  /** The endpoint that made the user whose id is in the path, instead of the one that creates users. */
  id?: string;
  /** The file in the path. */
  file?: string;
}

/** Where an endpoint is, who may call it, and how it runs: `npm run derive` writes it to all files that repeat it. */
export interface EndpointRoute {
  /** Method and path, as API Gateway writes it. */
  at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`;
  /** Scopes that a caller's token must have, all of them, if authentication is on (RFC 6749, section 3.3). */
  scopes: readonly `users:${'read' | 'write' | 'audit'}`[];
  /** Refuses what it does not know, whatever the client prefers. */
  isStrict?: true;
  /** Lasts as long as what is asked for: its time is no metric. */
  isUntimed?: true;
  /** The rights of its role, in the words of tools/deploy/permissions.ts. */
  permissions: readonly string[];
  /** Of its function in serverless.yml, where they are not the usual ones. */
  settings?: { memorySize?: string; timeout?: number; environment?: object; package?: object };
  /** Of its event in serverless.yml. */
  trigger?: object;
  /** Its row in docs/api.md, if it needs a scope. If absent: the summary. */
  does?: string;
  /** Words of paths in other APIs that mean it, in small letters and digits, and the help for them. `{id}` is that of the path, if it has one. */
  elsewhere?: string;
  there?: string;
  /** Its parameters, without filters, that help sends here from other endpoints. */
  takes?: string;
  /** If absent: a request without anything. */
  examples?: readonly [Example, ...Example[]];
}

/** For functions with all users in memory. Where many new containers load a base at once, and a table throttles them: API Gateway waits for 29 seconds. */
export const HOLDS_ALL_USERS = { memorySize: '${param:listMemory}', timeout: 28 };
