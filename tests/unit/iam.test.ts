import { describe, expect, test } from 'vitest';
import { isAllowedBy, type PolicyStatement } from '../support/iam.ts';

const allow = (more: Partial<PolicyStatement> = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action: '*',
  Resource: '*',
  ...more,
});

const request = { action: 's3:GetObject', resource: 'arn:aws:s3:::b/a/c' };

describe('the evaluator of policies', () => {
  test.each<[Partial<PolicyStatement>, boolean]>([
    [{ Action: 'S3:get*' }, true],
    [{ Action: 's3:Get?bject' }, true],
    [{ Action: 's3:GetObjec' }, false],
    [{ Action: 's3.GetObject' }, false],
    [{ Resource: 'arn:aws:s3:::b/*' }, true],
    [{ Resource: 'arn:aws:s3:::b' }, false],
    [{ Resource: 'arn:aws:s3:::B/*' }, false],
    // This variable stands for an asterisk that is no wildcard.
    [{ Resource: 'arn:aws:s3:::b/${*}' }, false],
  ])('compares a request for s3:GetObject of b/a/c with %j: %s', (statement, expected) => {
    expect(isAllowedBy([allow(statement)], request)).toBe(expected);
  });

  test('matches an asterisk in a resource with the variable ${*}', () => {
    const statements = [allow({ Resource: 'arn:aws:s3:::b/${*}' })];
    expect(isAllowedBy(statements, { action: 's3:GetObject', resource: 'arn:aws:s3:::b/*' })).toBe(true);
  });

  test('denies what no statement allows, and what one denies', () => {
    expect(isAllowedBy([], request)).toBe(false);
    expect(isAllowedBy([allow(), allow({ Effect: 'Deny', Action: 's3:*' })], request)).toBe(false);
    expect(isAllowedBy([allow(), allow({ Effect: 'Deny', Action: 'iam:*' })], request)).toBe(true);
  });

  test.each([
    ['StringEquals', [false, true, false]],
    ['StringNotEquals', [true, false, true]],
    ['StringLike', [false, true, false]],
    ['ArnLike', [false, true, false]],
    ['StringEqualsIfExists', [true, true, false]],
    ['StringNotEqualsIfExists', [true, false, true]],
  ])('knows %s for a missing key, an equal value and another value', (operator, expected) => {
    const statements = [allow({ Condition: { [operator]: { 'aws:ResourceTag/STAGE': ['dev', 'test'] } } })];
    const contexts = [{}, { 'AWS:resourcetag/stage': 'dev' }, { 'aws:ResourceTag/STAGE': 'dev2' }];
    expect(contexts.map((context) => isAllowedBy(statements, { ...request, context }))).toEqual(expected);
  });

  test('requires every key of every operator', () => {
    const Condition = { StringEquals: { a: '1', b: '2' }, StringLike: { c: '3*' }, Null: { d: 'true' } };
    const decide = (context: Record<string, string>) => isAllowedBy([allow({ Condition })], { ...request, context });
    expect(decide({ a: '1', b: '2', c: '34' })).toBe(true);
    expect(decide({ a: '1', b: '2', c: '34', d: 'x' })).toBe(false);
    expect(decide({ a: '1', b: '2', c: '4' })).toBe(false);
    expect(decide({ a: '1', c: '34' })).toBe(false);
  });

  test.each([
    [allow({ Condition: { DateLessThan: { 'aws:CurrentTime': '2026' } } }), 'DateLessThan'],
    [allow({ Resource: 'arn:aws:s3:::${aws:username}' }), '${aws:username}'],
    [{ ...allow(), NotAction: 's3:*' }, 'NotAction'],
  ])('throws when it meets what it does not know: %#', (statement, named) => {
    expect(() => isAllowedBy([statement], request)).toThrow(named);
  });
});
