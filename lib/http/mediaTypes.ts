export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export const HTML_TYPE = 'text/html';

/** RFC 7396 and RFC 6902. */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
export const JSON_PATCH_TYPE = 'application/json-patch+json';

/** RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json';

/** The media types of patches, for the `Accept-Patch` header (RFC 5789). */
export const ACCEPT_PATCH = [MERGE_PATCH_TYPE, JSON_PATCH_TYPE, JSON_TYPE].join(', ');
