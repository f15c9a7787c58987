import { SignatureV4 } from '@smithy/signature-v4';
import type { Sign } from './engine.ts';

type Signing = Pick<ConstructorParameters<typeof SignatureV4>[0], 'region' | 'credentials' | 'sha256'>;

/** Signs as the SDK does: a domain of OpenSearch Service asks for it (AWS Signature Version 4, service `es`). */
export function signerOf(signing: Signing): Sign {
  const signer = new SignatureV4({ ...signing, service: 'es' });
  return async (url, { method, body }, headers) => {
    const { hostname, host, pathname, protocol } = url;
    const query = Object.fromEntries(url.searchParams);
    const request = { method, hostname, path: pathname, protocol, query, headers: { ...headers, host } };
    return (await signer.sign({ ...request, body })).headers;
  };
}
