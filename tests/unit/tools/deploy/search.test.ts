import { expect, test } from 'vitest';
import { permissionsOf } from '../../../../tools/deploy/permissions.ts';
import { searchPermissions } from '../../../../tools/deploy/search.ts';

const DOMAIN = { url: 'https://search.example.com', arn: 'arn:aws:es:eu-central-1:123456789012:domain/users-prod' };

test('functions that list only ask the domain, the fold may change its indexes, and others reach nothing of it', () => {
  const ofLists = searchPermissions(['readLists', 'walkIndexes'], DOMAIN);
  expect(ofLists).toEqual([
    {
      Action: ['es:ESHttpPost'],
      Resource: ['*/_search', '*/_search/point_in_time', '_search'].map((path) => `${DOMAIN.arn}/${path}`),
    },
    { Action: ['es:ESHttpDelete'], Resource: [`${DOMAIN.arn}/_search/point_in_time`] },
  ]);
  const ofFold = searchPermissions(['fold', 'readStream'], DOMAIN);
  expect(ofFold.flatMap(({ Action }) => Action)).toContain('es:ESHttpPut');
  expect(searchPermissions(['putUsers', 'readUser'], DOMAIN)).toEqual([]);
  expect(permissionsOf(['readLists'], { users: 'u', directory: 'd', stream: '' }).length).toBeGreaterThan(0);
});
