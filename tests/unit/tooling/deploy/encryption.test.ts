import { describe, expect, test } from 'vitest';
import { refusalOfKey } from '../../../../lib/tooling/deploy/encryption.ts';
import { KMS_KEY } from '../../../support/deployRole.ts';

describe('the key of the tables', () => {
  test.each([
    '',
    KMS_KEY,
    KMS_KEY.replace(/key.*/, 'key/mrk-1234abcd12ab34cd56ef1234567890ab'),
    KMS_KEY.replace('arn:aws:', 'arn:aws-us-gov:'),
  ])('may be %j', (key) => {
    expect(refusalOfKey(key, 'eu-central-1')).toBeUndefined();
  });

  test.each([
    'alias/users',
    KMS_KEY.replace(/key.*/, 'alias/users'),
    '1234abcd-12ab-34cd-56ef-1234567890ab',
    KMS_KEY.replace('eu-central-1', 'us-east-1'),
    KMS_KEY.replace('kms', 's3'),
    KMS_KEY.replace('123456789012', '*'),
    `${KMS_KEY}*`,
    ` ${KMS_KEY}`,
  ])('must not be %j', (key) => {
    expect(refusalOfKey(key, 'eu-central-1')).toBe(
      'KMS_KEY must be the ARN of a KMS key of region eu-central-1, such as ' +
        'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab, or be empty. ' +
        `It is ${key}.`,
    );
  });
});
