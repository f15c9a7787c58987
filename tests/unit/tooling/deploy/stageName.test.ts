import { expect, test } from 'vitest';
import { ROUTES } from '../../../../lib/http/routes.ts';
import { refusalOfName } from '../../../../lib/tooling/deploy/stageName.ts';

const refusalOf = (stage: string) =>
  refusalOfName(
    stage,
    [...ROUTES.map(({ operation }) => operation), 'fold'].map((name) => `user-management-${stage}-${name}`),
  );

test('the name of a stage may have 30 characters, so that the name of every function has at most 64', () => {
  expect(refusalOf('x'.repeat(30))).toBeUndefined();
  expect(refusalOf('x'.repeat(31))).toContain('it may have 30 characters, as the function user-management-');
});

test('a longer name of a function leaves less to the stage', () => {
  expect(refusalOfName('stage', ['service-stage-short', `service-stage-${'f'.repeat(51)}`])).toBe(
    `The name of stage stage is too long: it may have 4 characters, as the function service-stage-${'f'.repeat(51)} may have 64.`,
  );
});
