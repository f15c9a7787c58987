import type { Measurement } from './figures.ts';
import { number } from './markdown.ts';

const PANEL = { width: 320, height: 340, top: 84, bottom: 300, left: 56, right: 250 };
/** The distance between labels at the ends of lines. */
const LABEL_HEIGHT = 14;
const LEAST_VALUE = 0.5;

const SERIES = [
  { label: 'this service', color: '#0a7d4b', width: 3, key: 'units' },
  { label: 'skip and count', color: '#b7791f', width: 2, key: 'skip' },
  { label: 'scan and sort', color: '#c0392b', width: 2, key: 'scan' },
] as const;

interface Line {
  label: string;
  color: string;
  width: number;
  points: (readonly [users: number, value: number])[];
}

interface Panel {
  title: string;
  lines: Line[];
}

/** Both axes are logarithmic. */
interface Scale {
  x(users: number): number;
  y(value: number): number;
}

function scaleOf(sizes: readonly number[], most: number): Scale {
  const at = (value: number, from: number, to: number) => Math.log10(value / from) / Math.log10(to / from);
  const [least = 1, largest = 10] = [sizes[0], sizes.at(-1)];
  const { top, bottom, left, right } = PANEL;
  return {
    x: (users) => left + at(users, least, largest) * (right - left),
    y: (value) => bottom - at(Math.max(value, LEAST_VALUE), LEAST_VALUE, most) * (bottom - top),
  };
}

const text = (x: number, y: number, content: string, more: string): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content.replaceAll('"', '&quot;')}</text>`;

const SMALL = 'font-size="11" fill="#666"';

function drawLine({ x, y }: Scale, { points, color, width }: Line): string {
  const places = points.map(([users, value]) => [x(users).toFixed(1), y(value).toFixed(1)] as const);
  const dots = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="${width + 1}" fill="${color}"/>`);
  return `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="${width}"/>${dots.join('')}`;
}

/** Labels the ends of the lines with their last values, from the top down, so that no label covers another. */
function drawEnds({ x, y }: Scale, lines: readonly Line[]): string[] {
  let lowest = Number.NEGATIVE_INFINITY;
  return lines
    .map(({ color, points }) => ({ color, end: points.at(-1) ?? ([1, 1] as const) }))
    .toSorted((a, b) => b.end[1] - a.end[1])
    .map(({ color, end: [users, value] }) => {
      lowest = Math.max(y(value) + 4, lowest + LABEL_HEIGHT);
      return text(x(users) + 9, lowest, number(value), `fill="${color}" font-size="12" font-weight="bold"`);
    });
}

const grid = (scale: Scale, most: number): string[] =>
  [1, 10, 100, 1_000, 10_000, 100_000]
    .filter((value) => value <= most)
    .flatMap((value) => [
      `<line x1="${PANEL.left}" x2="300" y1="${scale.y(value)}" y2="${scale.y(value)}" stroke="#e4e4e4"/>`,
      text(PANEL.left - 8, scale.y(value) + 4, number(value), `text-anchor="end" ${SMALL}`),
    ]);

const panelsOf = (measurements: readonly Measurement[]): Panel[] =>
  [...new Set(measurements.flatMap(({ compared }) => compared.map(({ title }) => title)))].map((title) => ({
    title,
    lines: SERIES.map(({ key, ...line }) => ({
      ...line,
      points: measurements.flatMap(({ users, compared }) => {
        const value = compared.find((request) => request.title === title)?.[key];
        return value === undefined ? [] : [[users, value] as const];
      }),
    })),
  }));

/** Read units of one page against the number of users, as SVG. */
export function chart(measurements: readonly Measurement[]): string {
  const heading = 'DynamoDB read units of one page of 20 users';
  const panels = panelsOf(measurements);
  const sizes = measurements.map(({ users }) => users);
  const values = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([, value]) => value)));
  const most = Math.max(10, ...values);
  const scale = scaleOf(sizes, most);
  const width = panels.length * PANEL.width;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${PANEL.height}" font-family="system-ui, sans-serif">`,
    `<title>${heading}, by number of users, compared with two usual ways</title>`,
    `<rect width="${width}" height="${PANEL.height}" fill="#fff"/>`,
    text(20, 31, heading, 'font-size="17" font-weight="bold"'),
    ...SERIES.flatMap(({ label, color }, i) => [
      `<circle cx="${560 + i * 130}" cy="26" r="5" fill="${color}"/>`,
      text(570 + i * 130, 30, label, 'font-size="12"'),
    ]),
    ...panels.flatMap(({ title, lines }, i) => [
      `<g transform="translate(${i * PANEL.width},0)">`,
      text(PANEL.left, PANEL.top - 16, title, 'font-size="14" font-weight="bold"'),
      ...grid(scale, most),
      ...sizes.map((users) => text(scale.x(users), PANEL.bottom + 20, number(users), `text-anchor="middle" ${SMALL}`)),
      ...lines.toReversed().map((line) => drawLine(scale, line)),
      ...drawEnds(scale, lines),
      '</g>',
    ]),
    text(width / 2, PANEL.height - 4, 'users', `text-anchor="middle" ${SMALL}`),
    '</svg>',
    '',
  ].join('\n');
}
