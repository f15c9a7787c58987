/** Dollars a request unit of DynamoDB in eu-central-1, as AWS listed them in August 2026. */
export const UNIT_PRICES = { readUnit: 0.1525 / 1e6, writeUnit: 0.7625 / 1e6 };
