/** The same questions to both: the query of a request, and by hand what SQL has for it. */
import type { Question } from '../ask.ts';

export interface PeerQuestion extends Question {
  where?: string;
  by: string;
}

export const PEER_QUESTIONS = {
  'id: first page': { query: '', by: 'id' },
  'name: first page': { query: 'sort=name', by: 'fold_name, id' },
  'name: half way': { query: 'sort=name', depth: 0.5, by: 'fold_name, id' },
  'name: last page': { query: 'sort=name', depth: 1, by: 'fold_name, id' },
  'a status by e-mail': { query: 'status=active&sort=email', where: "status = 'active'", by: 'fold_email, id' },
  'a country by age, descending': {
    query: 'country=BA&sort=age,desc',
    where: "country = 'BA'",
    by: 'age desc, id desc',
  },
  'a status in a country by first name': {
    query: 'status=active&country=IN&sort=firstName',
    where: "status = 'active' and country = 'IN'",
    by: 'fold_firstname, id',
  },
  '"ski" by last name': {
    query: 'keyword=ski&sort=lastName',
    where: "fold_lastname like '%ski%'",
    by: 'fold_lastname, id',
  },
  '"ski" by age, half way': {
    query: 'keyword=ski&sort=age',
    depth: 0.5,
    where: "fold_lastname like '%ski%'",
    by: 'age, id',
  },
  '"a" by last name': { query: 'keyword=a&sort=lastName', where: "fold_lastname like '%a%'", by: 'fold_lastname, id' },
  '"an" by name, half way': {
    query: 'keyword=an&sort=name',
    depth: 0.5,
    where: "fold_lastname like '%an%'",
    by: 'fold_name, id',
  },
  'age, descending, and name': { query: 'sort=age,desc&sort=name', by: 'age desc, fold_name, id' },
  'age, descending, and name: half way': {
    query: 'sort=age,desc&sort=name',
    depth: 0.5,
    by: 'age desc, fold_name, id',
  },
  'ages 30 to 39 by name, half way': {
    query: 'age.gte=30&age.lt=40&sort=name',
    depth: 0.5,
    where: 'age >= 30 and age < 40',
    by: 'fold_name, id',
  },
  'names from "an" by e-mail': {
    query: 'name.startsWith=an&sort=email',
    where: "fold_name like 'an%'",
    by: 'fold_email, id',
  },
  'two ranges by age, half way': {
    query: 'age.gte=30&age.lt=40&createdAt.gte=2024-10-20&createdAt.lt=2025-01-01&sort=age',
    depth: 0.5,
    where: "age >= 30 and age < 40 and id >= id_at('2024-10-20') and id < id_at('2025-01-01')",
    by: 'age, id',
  },
  'three statuses by name, half way': {
    query: 'status=inactive&status=pending&status=suspended&sort=name',
    depth: 0.5,
    where: "status in ('inactive', 'pending', 'suspended')",
    by: 'fold_name, id',
  },
  'created since a moment, by id': { query: 'createdAt.gte=2025-01-01', where: "id >= id_at('2025-01-01')", by: 'id' },
} as const satisfies Record<string, PeerQuestion>;
