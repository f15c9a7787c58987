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
  test.each([
    ['s3:*', true],
    ['S3:getobject', true],
    ['s3:Get?bject', true],
    ['s3:GetObjec', false],
    ['s3.GetObject', false],
  ])('compares the action s3:GetObject with %s: %s', (Action, expected) => {
    expect(isAllowedBy([allow({ Action })], request)).toBe(expected);
  });

  test.each([
    ['arn:aws:s3:::b/*', true],
    ['arn:aws:s3:::b', false],
    ['arn:aws:s3:::B/*', false],
    ['arn:aws:s3:::b/?/c', true],
    // This variable stands for an asterisk that is no wildcard.
    ['arn:aws:s3:::b/${*}', false],
    ['arn:aws:s3:::b+*', false],
  ])('compares the resource arn:aws:s3:::b/a/c with %s: %s', (Resource, expected) => {
    expect(isAllowedBy([allow({ Resource })], request)).toBe(expected);
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

  test('knows Null for a key that is missing, and for one that is not', () => {
    const statements = [allow({ Condition: { Null: { key: 'true' } } })];
    expect(isAllowedBy(statements, request)).toBe(true);
    expect(isAllowedBy(statements, { ...request, context: { key: 'value' } })).toBe(false);
  });

  test('requires every key of every operator', () => {
    const Condition = { StringEquals: { a: '1', b: '2' }, StringLike: { c: '3*' } };
    const decide = (context: Record<string, string>) => isAllowedBy([allow({ Condition })], { ...request, context });
    expect(decide({ a: '1', b: '2', c: '34' })).toBe(true);
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
