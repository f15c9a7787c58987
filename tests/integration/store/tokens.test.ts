import { expect, test } from 'vitest';
import { areSpendable, tryTokens } from '../../../tools/verify/tokens.ts';
import { serviceOn } from '../../support/service.ts';

test.each([
  ['the store in memory', async () => serviceOn.memory().database],
  ['the embedded DynamoDB, and DynamoDB Local', () => serviceOn.embedded()],
])(
  'the token of a cancelled transaction can be spent, and then refuses the transaction, though nothing is in its way any more: %s',
  async (_, databaseOf) => {
    const tokens = await tryTokens(await databaseOf());
    expect(tokens).toEqual({ spending: 'written', late: 'mismatch' });
    expect(areSpendable(tokens)).toBe(true);
  },
);
