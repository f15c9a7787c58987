/** The strokes of each sign, in a field of 24 by 24. */
const PATHS = {
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  ascending: 'M12 19V5M6 11l6-6 6 6',
  descending: 'M12 5v14M6 13l6 6 6-6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  columns: 'M4 4h16v16H4zM9.3 4v16M14.7 4v16',
  more: 'M4.500 11.500h1v1h-1zm7 0h1v1h-1zm7 0h1v1h-1z',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.7M20 4v7h-7',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5',
  menu: 'M4 6h16M4 12h16M4 18h16',
  people: 'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M2 20a7 7 0 0 1 14 0M16 5a3.5 3.5 0 0 1 0 7M18 14.5a7 7 0 0 1 4 5.5',
  mail: 'M3 5h18v14H3zM3 7l9 6 9-6',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2',
  waiting: 'M6 3h12M6 21h12M7 3c0 5 10 13 10 18M17 3c0 5-10 13-10 18',
  offline:
    'M3 3l18 18M5 12a10 10 0 0 1 4-2.4M2 8.5A15 15 0 0 1 7 5.8M11 5a15 15 0 0 1 11 3.500M14.500 9.500A10 10 0 0 1 19 12M9 16a4.500 4.500 0 0 1 6 0M12 20h.01',
} as const;

export type Sign = keyof typeof PATHS;

/** A sign without a name of its own: whatever has it needs one. */
export const Icon = ({ of }: { of: Sign }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[of]} />
  </svg>
);
