import { expect, test } from 'vitest';
import { readFilters } from '../../../../lib/http/parameters/filters.ts';
import { adviceOn } from '../../../../lib/http/response/advice.ts';
import { event } from '../../../../tools/samples/events.ts';

const adviceFor = (query: string, isEmpty = true) => adviceOn(event(query), readFilters(event(query)), isEmpty).advice;

const partOf = (mark: string, name: string, send: string) =>
  `The ${mark} in ${name} is a part of the value: send ${send}`;

test.each([
  ['country=DE,FR', partOf(',', 'country', 'country=DE&country=FR')],
  ['firstName=Ann*', partOf('*', 'firstName', 'firstName.startsWith=Ann')],
  ['firstName=%25ann%25', partOf('%', 'firstName', 'firstName.contains=ann')],
  ['name=*Lee', partOf('*', 'name', 'name.endsWith=Lee')],
  ['name=A*e', partOf('*', 'name', 'name.startsWith=A&name.endsWith=e')],
  ['email=*', partOf('*', 'email', 'email.missing=false')],
  ['lastName.contains=*l*', partOf('*', 'lastName.contains', 'lastName.contains=l')],
  ['keyword=Ann*', partOf('*', 'keyword', 'keyword=Ann')],
  ['attributes.groups=a, b', partOf(',', 'attributes.groups', 'attributes.groups=a&attributes.groups=b')],
  ['q=Lee, Ann', partOf(',', 'q', 'q=Lee%20Ann')],
  ['q=name:ann*', partOf('*', 'q', 'q=ann')],
  ['name=Zo\u00eb*', partOf('*', 'name', 'name.startsWith=Zo%C3%AB')],
  ['email=null', 'email is compared with this text: for users without a value send email.missing=true'],
  [`status=${'a,'.repeat(30)}&country=x`, expect.stringMatching(/^The , in status is a part of the value/)],
  ['status=active', undefined],
  ['externalId=auth0|7', undefined],
  ['attributes.a.gte=x,y', undefined],
])('nobody for %s is told how to ask: %s', (query, advice) => {
  expect(adviceFor(query)).toEqual(advice);
});

test('a list with users has advice only on filters that leave nobody out', () => {
  expect(adviceFor('country=DE,FR&name=A*', false)).toBeUndefined();
  expect(adviceFor('country.not=DE,FR', false)).toBe(partOf(',', 'country.not', 'country.not=DE&country.not=FR'));
  expect(adviceFor('name.not=A*', false)).toBe('The * in name.not is a part of the value');
  expect(adviceFor('email=&status=active', false)).toBe(
    'email is blank, so it is no filter: for users without a value send email.missing=true',
  );
});
