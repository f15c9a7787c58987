import type { Question } from './ask.ts';

/** Words may be in many fields. The first in a container cut all their texts into pieces. */
export const WORDS: Question = { query: 'q=ann+lee&sort=name' };

/** Questions that people ask, and some that are hard. */
export const CHOSEN: Readonly<Record<string, Question>> = {
  'first page by id': { query: '' },
  'first page by name': { query: 'sort=name' },
  'page half way by name': { query: 'sort=name', depth: 0.5 },
  'last page by name': { query: 'sort=name', depth: 1 },
  'keyword "ski" by last name': { query: 'keyword=ski&sort=lastName' },
  'keyword "ski" by age, half way': { query: 'keyword=ski&sort=age', depth: 0.5 },
  'keyword "a" by name, half way': { query: 'keyword=a&sort=name', depth: 0.5 },
  'two words anywhere by name': WORDS,
  'a status by e-mail, half way': { query: 'status=active&sort=email', depth: 0.5 },
  'a status in a country by age': { query: 'status=active&country=IN&sort=age' },
  'two ranges by age': {
    query: 'age.gte=30&age.lt=40&createdAt.gte=2024-10-20&createdAt.lt=2025-01-01&sort=age',
  },
  'by country, status and last name, half way': { query: 'sort=country&sort=status,desc&sort=lastName', depth: 0.5 },
  'counts by status': { kind: 'counts', query: 'by=status' },
  'counts by country': { kind: 'counts', query: 'by=country' },
  'counts by status and country': { kind: 'counts', query: 'by=status,country' },
  'all users by name, as a stream': { kind: 'stream', query: 'sort=name' },
};
