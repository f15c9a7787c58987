import { readFileSync, writeFileSync } from 'node:fs';
import { number, replaceSection, table } from './markdown.ts';
import { startBar } from './print.ts';

const PAGE = 20;
const DEFAULT_URL = 'http://localhost:3000';
const DEFAULT_ROUNDS = 15;
/** Rounds that are not counted, in which both services load their code. */
const WARMING = 3;

interface User {
  id: number;
  lastName?: string;
  status?: string;
  country?: string;
}

interface Page {
  content: User[];
  totalElements: number;
}

interface Question {
  title: string;
  path: string;
}

/** Base URLs without a slash at the end. */
interface Sides {
  own: string;
  peer: string;
}

interface Answer {
  milliseconds: number;
  status: number;
  body: unknown;
}

async function ask(url: string): Promise<Answer> {
  const token = process.env.TOKEN;
  const start = performance.now();
  const response = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  const text = await response.text();
  const milliseconds = performance.now() - start;
  return { milliseconds, status: response.status, body: response.ok ? JSON.parse(text) : undefined };
}

const page = (query: string): string => `/api/users?${query}&size=${PAGE}`;

const lastPage = (total: number): number => Math.max(0, Math.ceil(total / PAGE) - 1);

/** Questions about users of this service. @throws {Error} when it has nobody to ask about */
async function questionsAbout(own: string): Promise<Question[]> {
  const { status: answer, body } = await ask(own + page('sort=lastName'));
  if (answer !== 200) throw new Error(`${own} responded with ${answer}`);
  const first = body as Page;
  const last = lastPage(first.totalElements);
  const middle = (await ask(own + page(`sort=id&page=${Math.floor(last / 2)}`))).body as Page;
  const someone = middle.content.find(({ lastName = '', status, country }) => lastName.length > 4 && status && country);
  if (!someone?.lastName) throw new Error('The service has nobody with a last name, a status and a country half way');
  const { id, lastName, status = '', country = '' } = someone;
  const [one, three] = [lastName.slice(1, 2), lastName.slice(0, 3)].map((text) =>
    encodeURIComponent(text.toLowerCase()),
  );
  return [
    { title: 'a user', path: `/api/users/${id}` },
    { title: 'first page by id', path: page('sort=id') },
    { title: 'first page by name', path: page('sort=name') },
    { title: 'page half way by name', path: page(`sort=name&page=${Math.floor(last / 2)}`) },
    { title: 'last page by name', path: page(`sort=name&page=${last}`) },
    { title: 'first page of a status by e-mail', path: page(`status=${encodeURIComponent(status)}&sort=email`) },
    { title: 'first page of a country by age', path: page(`country=${encodeURIComponent(country)}&sort=age`) },
    { title: 'first page by country and last name', path: page('sort=country&sort=lastName,desc') },
    { title: 'keyword of three letters by last name', path: page(`keyword=${three}&sort=lastName`) },
    { title: 'keyword of three letters by age', path: page(`keyword=${three}&sort=age`) },
    { title: 'keyword of one letter by last name', path: page(`keyword=${one}&sort=lastName`) },
    { title: 'twenty users after an id', path: `/api/users/cursor?cursor=${id}` },
  ];
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** What must be the same in both answers: the total of a page, or else the status. */
const found = ({ status, body }: Answer): string => {
  const { totalElements } = (body ?? {}) as Partial<Page>;
  return totalElements === undefined ? `status ${status}` : `${number(totalElements)} users`;
};

/** The medians for one question, in milliseconds. */
interface Compared {
  title: string;
  own: number;
  peer: number;
  /** The median of the ratios, which is not the ratio of the medians. */
  ratio: number;
  /** How the answers differ. Empty if they agree. */
  differ: string;
}

/** What `--record` keeps. */
export interface Recorded {
  peer: string;
  rounds: number;
  compared: Compared[];
}

/** Asks both services. The one that is asked first changes each round. */
async function compare({ title, path }: Question, { own, peer }: Sides, rounds: number): Promise<Compared> {
  const times: { own: number; peer: number }[] = [];
  let differ = '';
  for (let round = -WARMING; round < rounds; round++) {
    const order = round % 2 === 0 ? ([own, peer] as const) : ([peer, own] as const);
    const answers = new Map<string, Answer>();
    for (const side of order) answers.set(side, await ask(side + path));
    const [here, there] = [answers.get(own), answers.get(peer)];
    if (!here || !there) continue;
    if (found(here) !== found(there)) differ = `${found(here)} and ${found(there)}`;
    if (round >= 0) times.push({ own: here.milliseconds, peer: there.milliseconds });
  }
  return {
    title,
    own: rounded(median(times.map((both) => both.own)), 1),
    peer: rounded(median(times.map((both) => both.peer)), 1),
    ratio: rounded(median(times.map((both) => both.own / both.peer)), 2),
    differ,
  };
}

/** The options of the command line. */
export interface PeerOptions {
  peer?: string;
  url?: string;
  rounds?: string;
  /** What the peer is. Records the comparison under this name. */
  record?: string;
}

function readOptions({ peer, url, rounds: count }: PeerOptions): Sides & { rounds: number } {
  const rounds = Number(count ?? DEFAULT_ROUNDS);
  const [own = '', other = ''] = [url ?? DEFAULT_URL, peer].map((text) => text?.replace(/\/+$/, ''));
  if (![own, other].every((text) => /^https?:\/\//.test(text) && URL.canParse(text)) || own === other) {
    throw new Error('--peer and --url must be the base URLs of two services');
  }
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive integer');
  return { own, peer: other, rounds };
}

/** Prints how long each question takes both services. @returns whether both found the same */
export async function compareWithPeer(options: PeerOptions): Promise<boolean> {
  const { rounds, ...sides } = readOptions(options);
  const questions = await questionsAbout(sides.own);
  const bar = startBar(questions.length, 'questions');
  const compared: Compared[] = [];
  for (const question of questions) {
    compared.push(await compare(question, sides, rounds));
    bar.increment();
  }
  bar.stop();
  const rows = compared.map((each) => [...cells(each), each.differ === '' ? 'yes' : `**no: ${each.differ}**`]);
  process.stdout.write(`\n${table([...headOf('Peer'), 'Same total'], rows)}\n`);
  const isSame = compared.every(({ differ }) => differ === '');
  if (options.record !== undefined && isSame) record({ peer: options.record, rounds, compared });
  return isSame;
}

const RECORD = 'bench/peer.json';

/** The questions in README.md. bench/README.md has all. */
const SHORT = [
  'a user',
  'first page by name',
  'page half way by name',
  'last page by name',
  'keyword of three letters by last name',
  'keyword of three letters by age',
];

const headOf = (peer: string): string[] => ['Median of requests in turn', 'This service, ms', `${peer}, ms`, 'Ratio'];

const cells = ({ title, own, peer, ratio }: Compared): string[] => [title, number(own), number(peer), ratio.toFixed(2)];

export const readPeer = (): Recorded => JSON.parse(readFileSync(RECORD, 'utf8'));

/** The table of all questions, or of the questions in README.md. */
export function peerTable({ peer, compared }: Recorded, which: 'all' | 'short'): string {
  const shown = compared.filter(({ title }) => which === 'all' || SHORT.includes(title));
  return table(headOf(peer), shown.map(cells));
}

function record(recorded: Recorded): void {
  writeFileSync(RECORD, `${JSON.stringify(recorded, null, 2)}\n`);
  replaceSection('README.md', 'peer', peerTable(recorded, 'short'));
  replaceSection('bench/README.md', 'peer', peerTable(recorded, 'all'));
}
