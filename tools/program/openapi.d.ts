/**
 * The types of the API document where `npm run types` has not made them yet, as in a fresh clone: of any kind. A file that is there comes
 * before this pattern.
 */
declare module '*/.local/openapi.d.ts' {
  // biome-ignore lint/suspicious/noExplicitAny: nothing is known of them yet
  type Unmade = any;

  export type { Unmade as components, Unmade as paths };
}
