/** Dollars in us-east-1, as AWS listed them in 2025, without the free tier. */
export const PRICES = {
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
  storedGb: 0.25,
  backedUpGb: 0.2,
  apiRequest: 3.5 / 1e6,
  call: 0.2 / 1e6,
  gbSecond: 0.000_013_333_4,
  loggedGb: 0.5,
  metric: 0.3,
  alarmedMetric: 0.1,
  dashboard: 3,
};
