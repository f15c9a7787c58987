import { expect, test } from 'vitest';
import { refusalOfName } from '../../../../lib/tooling/deploy/stageName.ts';

test('the longest name of a function limits the name of a stage, because both together have at most 64 characters', () => {
  const refusalOf = (length: number) =>
    refusalOfName('stage', ['service-stage-short', `service-stage-${'f'.repeat(length)}`]);
  expect(refusalOf(50)).toBeUndefined();
  expect(refusalOf(51)).toBe(
    `The name of stage stage is too long: it may have 4 characters, as the function service-stage-${'f'.repeat(51)} may have 64.`,
  );
});
