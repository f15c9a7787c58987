import { counted } from '../../program/stop.ts';

/** The end of a step. */
export interface Outcome {
  title: string;
  seconds: number;
  /** The things that it saw, or the reason of its failure. */
  said: string;
  isWell: boolean;
}

/** The report of a run, in Markdown. It has no secret, because no step says one. */
export function reportOf(outcomes: readonly Outcome[], about: string): string {
  const failed = outcomes.filter(({ isWell }) => !isWell);
  const verdict = failed.length === 0 ? 'All steps went well.' : `${counted(failed.length, 'step')} failed.`;
  const parts = outcomes.map(
    ({ title, seconds, said, isWell }) => `## ${isWell ? '✓' : '✗'} ${title} (${seconds} s)\n\n${said.trim()}\n`,
  );
  return [`# A throw-away stage\n\n${about} ${verdict}\n`, ...parts].join('\n');
}
