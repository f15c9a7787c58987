import type { Figure, Measurement } from './figures.ts';
import type { Title } from './lines.ts';
import { number } from './markdown.ts';

const HEIGHT = 340;
const [TOP, BOTTOM, LEFT, RIGHT] = [84, 40, 56, 20];
const PANEL = { width: 320, height: HEIGHT - TOP - BOTTOM };
/** The distance between labels at the ends of lines. */
const LABEL_HEIGHT = 14;
const LEAST_VALUE = 0.5;

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
  x(value: number): number;
  y(value: number): number;
}

/** Both axes are logarithmic. */
function scaleOf(ticks: readonly number[], most: number): Scale {
  const at = (value: number, from: number, to: number) => Math.log10(value / from) / Math.log10(to / from);
  const [least = 1, largest = 10] = [ticks[0], ticks.at(-1)];
  const width = PANEL.width - LEFT - RIGHT - 50;
  return {
    x: (value) => LEFT + at(value, least, largest) * width,
    y: (value) => TOP + PANEL.height * (1 - at(Math.max(value, LEAST_VALUE), LEAST_VALUE, most)),
  };
}

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content.replaceAll('"', '&quot;')}</text>`;

export interface Line {
  color: string;
  width: number;
  points: (readonly [x: number, y: number])[];
}

function drawLine({ x, y }: Scale, { points, color, width }: Line): string {
  const places = points.map((point) => [x(point[0]).toFixed(1), y(point[1]).toFixed(1)] as const);
  const dots = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="${width + 1}" fill="${color}"/>`);
  return `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="${width}"/>${dots.join('')}`;
}

/** Labels the ends of the lines with their last values, from the top down, so that no label covers another. */
function drawEnds({ x, y }: Scale, lines: readonly Line[]): string[] {
  let lowest = Number.NEGATIVE_INFINITY;
  const ends = lines.map(({ color, points }) => ({ color, end: points.at(-1) ?? ([1, 1] as const) }));
  return ends
    .toSorted((a, b) => b.end[1] - a.end[1])
    .map(({ color, end: [last, value] }) => {
      lowest = Math.max(y(value) + 4, lowest + LABEL_HEIGHT);
      return text(x(last) + 9, lowest, number(value), `fill="${color}" font-size="12" font-weight="bold"`);
    });
}

const grid = (scale: Scale, most: number): string[] =>
  [1, 10, 100, 1_000, 10_000, 100_000]
    .filter((value) => value <= most)
    .flatMap((value) => [
      `<line x1="${LEFT}" x2="${PANEL.width - RIGHT}" y1="${scale.y(value)}" y2="${scale.y(value)}" stroke="#e4e4e4"/>`,
      text(LEFT - 8, scale.y(value) + 4, number(value), 'text-anchor="end" font-size="11" fill="#666"'),
    ]);

const axis = (scale: Scale, ticks: readonly number[]): string[] =>
  ticks.map((value) =>
    text(scale.x(value), HEIGHT - BOTTOM + 20, number(value), 'text-anchor="middle" font-size="11" fill="#666"'),
  );

export interface Panel {
  title: string;
  /** The labels of its own lines, if it has other lines than the chart. */
  labels: readonly Label[];
  lines: readonly Line[];
}

function panel({ title, labels, lines }: Panel, ticks: readonly number[], most: number): string[] {
  const scale = scaleOf(ticks, most);
  return [
    text(LEFT, TOP - 16, title, 'font-size="14" font-weight="bold"'),
    ...legend(labels, LEFT + 5, TOP - 36, 90),
    ...grid(scale, most),
    ...axis(scale, ticks),
    ...lines.toReversed().map((line) => drawLine(scale, line)),
    ...drawEnds(scale, lines),
  ];
}

interface Label {
  label: string;
  color: string;
}

/** Panels next to each other, with the same axes. */
export interface Drawing {
  heading: string;
  /** A text for people who cannot see the chart. */
  title: string;
  /** The labels for the lines of all panels. */
  labels: readonly Label[];
  panels: readonly Panel[];
  /** The values under the axis, from its first to its last. */
  ticks: readonly number[];
  /** What the axis counts. */
  unit: string;
}

const legend = (labels: readonly Label[], left: number, y: number, step: number): string[] =>
  labels.flatMap(({ label, color }, i) => {
    const x = left + i * step;
    return [`<circle cx="${x}" cy="${y}" r="5" fill="${color}"/>`, text(x + 10, y + 4, label, 'font-size="12"')];
  });

/** One value for each size at which it was measured. */
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

/** The panel of questions drawn at random, once they are measured. */
function drawnPanels(measurements: readonly Measurement[]): Panel[] {
  if (!measurements.some(({ figures }) => figures[DRAWN])) return [];
  const lines = DRAWN_SERIES.map(({ read, ...line }) => ({
    ...line,
    points: pointsOf(measurements, ({ figures }) => figures[DRAWN] && read(figures[DRAWN])),
  }));
  return [{ title: 'Any page, drawn at random', labels: DRAWN_SERIES, lines }];
}

/** The chart as SVG. */
export function draw({ heading, title, labels, panels, ticks, unit }: Drawing): string {
  const values = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([, value]) => value)));
  const most = Math.max(10, ...values);
  const width = panels.length * PANEL.width;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" font-family="system-ui, sans-serif">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${HEIGHT}" fill="#fff"/>`,
    text(20, 31, heading, 'font-size="17" font-weight="bold"'),
    ...legend(labels, 560, 26, 130),
    ...panels.flatMap((each, i) => [
      `<g transform="translate(${i * PANEL.width},0)">`,
      ...panel(each, ticks, most),
      '</g>',
    ]),
    text(width / 2, HEIGHT - 4, unit, 'text-anchor="middle" font-size="11" fill="#666"'),
    '</svg>',
    '',
  ].join('\n');
}

/** Read units of one page against the number of users. */
export function chart(measurements: readonly Measurement[]): string {
  const heading = 'DynamoDB read units of one page of 20 users';
  return draw({
    heading,
    title: `${heading}, by number of users, compared with two usual ways`,
    labels: SERIES,
    panels: [...comparedPanels(measurements), ...drawnPanels(measurements)],
    ticks: measurements.map(({ users }) => users),
    unit: 'users',
  });
}
