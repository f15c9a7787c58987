import { CATALOGUE } from './catalogue.ts';
import type { Measured, Measurement } from './measure.ts';

const WIDTH = 900;
const PANEL_HEIGHT = 190;
const LEFT = 60;
const GAP = 30;
const COLUMNS = 2;
/** Room for the labels at the ends of the lines, and how far they keep from one another. */
const RIGHT = 135;
const LABEL_HEIGHT = 13;

const SERIES = [
  { key: 'units', label: 'this service', color: '#0a7d4b' },
  { key: 'skip', label: 'skip and count', color: '#b7791f' },
  { key: 'scan', label: 'scan and sort', color: '#c0392b' },
] as const;

const panelWidth = (WIDTH - GAP * (COLUMNS + 1)) / COLUMNS;

interface Scale {
  x(users: number): number;
  y(units: number): number;
}

const position = (value: number, [from, to]: readonly [number, number]): number =>
  (Math.log10(value) - Math.log10(from)) / (Math.log10(to) - Math.log10(from));

const scaleOf = (sizes: readonly number[], most: number): Scale => ({
  x: (users) => LEFT + position(users, [sizes[0] ?? 1, sizes.at(-1) ?? 10]) * (panelWidth - LEFT - RIGHT),
  y: (units) => PANEL_HEIGHT - 30 - position(Math.max(units, 0.5), [0.5, most]) * (PANEL_HEIGHT - 60),
});

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content}</text>`;

interface Line {
  label: string;
  color: string;
  points: readonly (readonly [users: number, units: number])[];
}

function drawLine(scale: Scale, { points, color }: Line): string {
  const path = points.map(([users, units]) => `${scale.x(users).toFixed(1)},${scale.y(units).toFixed(1)}`);
  const dots = path.map((point) => {
    const [x, y] = point.split(',');
    return `<circle cx="${x}" cy="${y}" r="3" fill="${color}"/>`;
  });
  return [`<polyline points="${path.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`, ...dots].join('\n');
}

/** From the top down, each beside the end of its line or below the one before. */
function drawLabels(scale: Scale, lines: readonly Line[]): string[] {
  let lowest = Number.NEGATIVE_INFINITY;
  const ends = lines.map(({ label, color, points }) => ({ label, color, end: points.at(-1) ?? ([1, 1] as const) }));
  return ends
    .toSorted((a, b) => b.end[1] - a.end[1])
    .map(({ label, color, end: [users, units] }) => {
      lowest = Math.max(scale.y(units) + 4, lowest + LABEL_HEIGHT);
      return text(
        scale.x(users) + 8,
        lowest,
        `${units.toLocaleString('en-US')} ${label}`,
        `fill="${color}" font-size="11"`,
      );
    });
}

function panel(title: string, index: number, measurements: readonly Measurement[], most: number): string {
  const sizes = measurements.map(({ users }) => users);
  const scale = scaleOf(sizes, most);
  const measured = measurements.map(({ users, reads }) => ({
    users,
    read: reads.find((read) => read.title === title) as Measured,
  }));
  const lines = SERIES.map(({ key, label, color }) => ({
    label,
    color,
    points: measured.map(({ users, read }) => [users, read[key] ?? 0] as const),
  }));
  const grid = [1, 10, 100, 1_000, 10_000]
    .filter((units) => units <= most)
    .map((units) =>
      [
        `<line x1="${LEFT}" x2="${panelWidth - RIGHT}" y1="${scale.y(units)}" y2="${scale.y(units)}" stroke="#ddd"/>`,
        text(
          LEFT - 8,
          scale.y(units) + 4,
          units.toLocaleString('en-US'),
          'text-anchor="end" font-size="11" fill="#666"',
        ),
      ].join(''),
    );
  const axis = sizes.map((users) =>
    text(
      scale.x(users),
      PANEL_HEIGHT - 12,
      users.toLocaleString('en-US'),
      'text-anchor="middle" font-size="11" fill="#666"',
    ),
  );
  const x = GAP + (index % COLUMNS) * (panelWidth + GAP);
  const y = 40 + Math.floor(index / COLUMNS) * (PANEL_HEIGHT + GAP);
  return `<g transform="translate(${x},${y})">\n${text(LEFT, 14, title.replaceAll('"', '&quot;'), 'font-weight="bold" font-size="13"')}\n${[...grid, ...axis, ...lines.map((line) => drawLine(scale, line)), ...drawLabels(scale, lines)].join('\n')}\n</g>`;
}

/** Read units against users, both in powers of ten, one panel a request. */
export function chart(measurements: readonly Measurement[]): string {
  const titles = CATALOGUE.filter(({ isDrawn }) => isDrawn).map(({ title }) => title);
  const most = Math.max(
    ...measurements.flatMap(({ reads }) => reads.flatMap(({ units, scan = 0, skip = 0 }) => [units, scan, skip])),
  );
  const height = 40 + Math.ceil(titles.length / COLUMNS) * (PANEL_HEIGHT + GAP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif">`,
    '<title>DynamoDB read units of one page of 20 users, by number of users, beside two usual ways</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    text(
      GAP,
      24,
      'DynamoDB read units of one page of 20 users, by number of users',
      'font-size="15" font-weight="bold"',
    ),
    ...titles.map((title, i) => panel(title, i, measurements, most)),
    '</svg>',
    '',
  ].join('\n');
}
