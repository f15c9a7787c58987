import { UNIT_PRICES } from '../schemas/prices.ts';

/**
 * Dollars in the default region, eu-central-1, as AWS's price list had them in August 2026, without the free tier:
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/price-changes.html
 */
export const PRICES = {
  ...UNIT_PRICES,
  storedGb: 0.306,
  backedUpGb: 0.2448,
  apiRequest: 3.7 / 1e6,
  call: 0.2 / 1e6,
  /** Of arm64. */
  gbSecond: 0.000_013_333_4,
  loggedGb: 0.63,
  /** A month, of what is left after AWS has compressed it. */
  keptLogGb: 0.0324,
  metric: 0.3,
  alarmedMetric: 0.1,
  dashboard: 3,
  trace: 5 / 1e6,
};
