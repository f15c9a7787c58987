import type { Figure, Measurement } from './figures.ts';
import type { Title } from './lines.ts';
import { number } from './markdown.ts';

const HEIGHT = 340;
const [TOP, BOTTOM, LEFT, RIGHT] = [84, 40, 56, 20];
const PANEL = { width: 320, height: HEIGHT - TOP - BOTTOM };
/** How far the labels at the ends of lines keep from one another. */
const LABEL_HEIGHT = 14;
const LEAST_UNITS = 0.5;

const SERIES = [
  { key: 'units', label: 'this service', color: '#0a7d4b', width: 3 },
  { key: 'skip', label: 'skip and count', color: '#b7791f', width: 2 },
  { key: 'scan', label: 'scan and sort', color: '#c0392b', width: 2 },
] as const;

const DRAWN: Title = 'all kinds, any page';
const DRAWN_SERIES = [
  { label: 'median', color: '#0a7d4b', width: 3, read: ({ units }: Figure) => units.median },
  { label: '95 of 100', color: '#6bb38f', width: 2, read: ({ units }: Figure) => units.of95 },
  { label: 'calls, most', color: '#5b5b9d', width: 2, read: ({ calls }: Figure) => calls?.most },
];

interface Scale {
  x(users: number): number;
  y(units: number): number;
}

/** Both in powers of ten. */
function scaleOf(sizes: readonly number[], most: number): Scale {
  const at = (value: number, from: number, to: number) => Math.log10(value / from) / Math.log10(to / from);
  const [least = 1, largest = 10] = [sizes[0], sizes.at(-1)];
  const width = PANEL.width - LEFT - RIGHT - 50;
  return {
    x: (users) => LEFT + at(users, least, largest) * width,
    y: (units) => TOP + PANEL.height * (1 - at(Math.max(units, LEAST_UNITS), LEAST_UNITS, most)),
  };
}

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content.replaceAll('"', '&quot;')}</text>`;

interface Line {
  color: string;
  width: number;
  points: (readonly [users: number, units: number])[];
}

function drawLine({ x, y }: Scale, { points, color, width }: Line): string {
  const places = points.map(([users, units]) => [x(users).toFixed(1), y(units).toFixed(1)] as const);
  const dots = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="${width + 1}" fill="${color}"/>`);
  return `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="${width}"/>${dots.join('')}`;
}

/** What the largest store costs, at the ends of the lines, from the top down and none over another. */
function drawEnds({ x, y }: Scale, lines: readonly Line[]): string[] {
  let lowest = Number.NEGATIVE_INFINITY;
  const ends = lines.map(({ color, points }) => ({ color, end: points.at(-1) ?? ([1, 1] as const) }));
  return ends
    .toSorted((a, b) => b.end[1] - a.end[1])
    .map(({ color, end: [users, units] }) => {
      lowest = Math.max(y(units) + 4, lowest + LABEL_HEIGHT);
      return text(x(users) + 9, lowest, number(units), `fill="${color}" font-size="12" font-weight="bold"`);
    });
}

const grid = (scale: Scale, most: number): string[] =>
  [1, 10, 100, 1_000, 10_000, 100_000]
    .filter((units) => units <= most)
    .flatMap((units) => [
      `<line x1="${LEFT}" x2="${PANEL.width - RIGHT}" y1="${scale.y(units)}" y2="${scale.y(units)}" stroke="#e4e4e4"/>`,
      text(LEFT - 8, scale.y(units) + 4, number(units), 'text-anchor="end" font-size="11" fill="#666"'),
    ]);

const axis = (scale: Scale, sizes: readonly number[]): string[] =>
  sizes.map((users) =>
    text(scale.x(users), HEIGHT - BOTTOM + 20, number(users), 'text-anchor="middle" font-size="11" fill="#666"'),
  );

interface Panel {
  title: string;
  /** Its own, if it shows other lines than the chart's. */
  labels: readonly Label[];
  lines: readonly Line[];
}

function panel({ title, labels, lines }: Panel, sizes: readonly number[], most: number): string[] {
  const scale = scaleOf(sizes, most);
  return [
    text(LEFT, TOP - 16, title, 'font-size="14" font-weight="bold"'),
    ...legend(labels, LEFT + 5, TOP - 36, 90),
    ...grid(scale, most),
    ...axis(scale, sizes),
    ...lines.toReversed().map((line) => drawLine(scale, line)),
    ...drawEnds(scale, lines),
  ];
}

interface Label {
  label: string;
  color: string;
}

const legend = (labels: readonly Label[], left: number, y: number, step: number): string[] =>
  labels.flatMap(({ label, color }, i) => {
    const x = left + i * step;
    return [`<circle cx="${x}" cy="${y}" r="5" fill="${color}"/>`, text(x + 10, y + 4, label, 'font-size="12"')];
  });

/** One value of each size that has it. */
const pointsOf = (measurements: readonly Measurement[], read: (measurement: Measurement) => number | undefined) =>
  measurements.flatMap((measurement) => {
    const value = read(measurement);
    return value === undefined ? [] : [[measurement.users, value] as const];
  });

function comparedPanels(measurements: readonly Measurement[]): Panel[] {
  const titles = new Set(measurements.flatMap(({ compared }) => compared.map(({ title }) => title)));
  return [...titles].map((title) => ({
    title,
    labels: [],
    lines: SERIES.map(({ key, ...line }) => ({
      ...line,
      points: pointsOf(measurements, ({ compared }) => compared.find((request) => request.title === title)?.[key]),
    })),
  }));
}

/** Once they are measured. */
function drawnPanels(measurements: readonly Measurement[]): Panel[] {
  if (!measurements.some(({ figures }) => figures[DRAWN])) return [];
  const lines = DRAWN_SERIES.map(({ read, ...line }) => ({
    ...line,
    points: pointsOf(measurements, ({ figures }) => figures[DRAWN] && read(figures[DRAWN])),
  }));
  return [{ title: 'Any page, drawn at random', labels: DRAWN_SERIES, lines }];
}

/** Read units of one page against the number of users, both in powers of ten. */
export function chart(measurements: readonly Measurement[]): string {
  const panels = [...comparedPanels(measurements), ...drawnPanels(measurements)];
  const sizes = measurements.map(({ users }) => users);
  const values = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([, value]) => value)));
  const most = Math.max(10, ...values);
  const width = panels.length * PANEL.width;
  const heading = 'DynamoDB read units of one page of 20 users';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" font-family="system-ui, sans-serif">`,
    `<title>${heading}, by number of users, beside two usual ways</title>`,
    `<rect width="${width}" height="${HEIGHT}" fill="#fff"/>`,
    text(20, 31, heading, 'font-size="17" font-weight="bold"'),
    ...legend(SERIES, 560, 26, 130),
    ...panels.flatMap((each, i) => [
      `<g transform="translate(${i * PANEL.width},0)">`,
      ...panel(each, sizes, most),
      '</g>',
    ]),
    text(width / 2, HEIGHT - 4, 'users', 'text-anchor="middle" font-size="11" fill="#666"'),
    '</svg>',
    '',
  ].join('\n');
}
