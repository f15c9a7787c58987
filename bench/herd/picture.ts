/** The course of a simulation as an SVG: panels over one axis of time. */
import { times } from '../sample.ts';
import type { Course, Wait } from './herd.ts';

const SECONDS = 45;
const [LEFT, WIDTH, HEIGHT, GAP, TOP] = [64, 720, 96, 46, 64];

interface Panel {
  title: string;
  /** A number for each second. */
  values: number[];
  /** What the panel reaches up to. */
  most: number;
  /** A line across, and what it is. */
  limit?: [value: number, name: string];
}

const x = (second: number): number => LEFT + (second / SECONDS) * WIDTH;
const text = (at: number, y: number, words: string, kind = ''): string =>
  `<text x="${at}" y="${y}" class="${kind}">${words}</text>`;

const perSecond = (draw: (second: number) => number): number[] => times(SECONDS, draw);
const during = (moment: number, second: number): boolean => Math.floor(moment / 1_000) === second;

function summed(course: Course, of: (note: Course['notes'][number]) => number): number[] {
  const sums = times(SECONDS, () => 0);
  for (const note of course.notes) {
    const second = Math.floor(note.at / 1_000);
    if (second < SECONDS) sums[second] = (sums[second] ?? 0) + of(note);
  }
  return sums;
}

const slowest = (waits: readonly Wait[]): number[] =>
  perSecond((second) =>
    waits.reduce((most, { began, ended }) => (during(began, second) ? Math.max(most, ended - began) : most), 0),
  );

function panelsOf(course: Course): Panel[] {
  const isRead = ({ touch }: Course['notes'][number]): boolean => touch.kind === 'read' && touch.table === 'directory';
  const ready = perSecond((second) => course.containers.filter(({ ended }) => ended < (second + 1) * 1_000).length);
  const [lists, writes] = [slowest(course.lists), slowest(course.writes)];
  return [
    {
      title: 'read units served, a second',
      values: summed(course, (note) => (isRead(note) && !note.isRefused ? note.units : 0)),
      most: 16_000,
      limit: [12_000, 'what a new table gives'],
    },
    {
      title: 'calls refused, a second: 2,000 or more at the top',
      values: summed(course, (note) => (note.isRefused ? 1 : 0)),
      most: 2_000,
    },
    { title: 'containers that have answered', values: ready, most: course.containers.length },
    { title: 'the slowest list of a warm container, ms', values: lists, most: Math.max(1_000, ...lists) },
    { title: 'the slowest create, ms', values: writes, most: Math.max(1_000, ...writes) },
  ];
}

function drawn({ title, values, most, limit }: Panel, i: number): string {
  const bottom = TOP + (i + 1) * HEIGHT + i * GAP;
  const y = (value: number): string => (bottom - (Math.min(value, most) / most) * HEIGHT).toFixed(1);
  const steps = values.map(
    (value, second) => `${x(second).toFixed(1)},${y(value)} ${x(second + 1).toFixed(1)},${y(value)}`,
  );
  return [
    text(LEFT, bottom - HEIGHT - 10, title),
    text(LEFT - 8, bottom - HEIGHT + 8, Math.round(most).toLocaleString('en-US'), 'end'),
    text(LEFT - 8, bottom, '0', 'end'),
    `<polygon points="${LEFT},${bottom} ${steps.join(' ')} ${x(SECONDS)},${bottom}"/>`,
    `<path d="M${LEFT} ${bottom}h${WIDTH}"/>`,
    ...(limit
      ? [
          `<path class="limit" d="M${LEFT} ${y(limit[0])}h${WIDTH}"/>`,
          text(LEFT + WIDTH, Number(y(limit[0])) - 4, limit[1], 'end'),
        ]
      : []),
  ].join('\n');
}

const STYLE = `
svg { background: #fff; font: 13px system-ui, sans-serif; fill: #1f2328; }
polygon { fill: #0969da; } path { stroke: #59636e; fill: none; } .end { text-anchor: end; }
.limit { stroke: #cf222e; stroke-dasharray: 4 3; } .mark { stroke-dasharray: 2 3; } rect { fill: #bf8700; opacity: 0.18; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; fill: #f0f6fc; } polygon { fill: #4493f8; } path { stroke: #9198a1; } .limit { stroke: #f85149; } rect { opacity: 0.3; }
}`;

/** When the next base was written. */
export function mergeOf({ notes }: Course): Pick<Wait, 'began' | 'ended'> | undefined {
  const parts = notes.filter(
    ({ touch: { kind, key }, isRefused }) => !isRefused && kind === 'write' && /^base:/.test(`${key}`),
  );
  const [first, last] = [parts[0], parts.at(-1)];
  return first && last && { began: first.at, ended: last.at };
}

/** @param title what is simulated, and @param description what it shows, for those who do not see it */
export function pictureOf(course: Course, title: string, description: string): string {
  const panels = panelsOf(course);
  const height = TOP + panels.length * (HEIGHT + GAP);
  const bottom = height - GAP;
  const began = x(Math.min(...course.containers.map((wait) => wait.began)) / 1_000);
  const merge = mergeOf(course);
  const band = merge && ([x(merge.began / 1_000), x(merge.ended / 1_000)] as const);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 48} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${title}</title><desc id="description">${description}</desc><style>${STYLE}</style>`,
    ...(band
      ? [
          `<rect x="${band[0]}" y="${TOP}" width="${band[1] - band[0]}" height="${bottom - TOP}"/>`,
          text(band[0] + 6, 24, 'the merge writes'),
        ]
      : []),
    `<path class="mark" d="M${began} 20V${bottom}"/>${text(began - 6, 24, 'containers start', 'end')}`,
    ...panels.map(drawn),
    ...times(SECONDS / 5 + 1, (i) => text(x(i * 5), bottom + 20, `${i * 5} s`)),
    '</svg>\n',
  ].join('\n');
}
