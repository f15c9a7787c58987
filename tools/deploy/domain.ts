/** Labels of RFC 1123, section 2.1, two at least. Names are compared in small letters. */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Why a stage cannot be served at a domain, in one sentence. Undefined if it can, or if there is none. */
export function refusalOfDomain(domain: string): string | undefined {
  if (domain === '' || DOMAIN.test(domain)) return undefined;
  return `DOMAIN_NAME must be the name of a domain in small letters, such as users.example.com, or be empty. It is ${domain}.`;
}
