/**
 * `npm run first-stage`: deploys a throw-away stage into an AWS account, tries what an owner of a stage does in its life, writes a report,
 * and deletes everything, whatever happened. With `--dry-run` it does so on this machine, as far as the stand-in for AWS goes.
 */
import { writeFileSync } from 'node:fs';
import { systemRuntime } from '../../../lib/ground/index.ts';
import { findRegion } from '../../deploy/region.ts';
import { requireCredentials } from '../../operate/credentials.ts';
import { FLAG, readOptions, TEXT } from '../../program/options.ts';
import { reasonOf } from '../../program/stop.ts';
import { runCheck } from '../prerequisites.ts';
import { accountAt } from '../rehearsal/account.ts';
import { deleteAll } from './cleaning.ts';
import { atAws, atStandIn, type Place } from './places.ts';
import { type Outcome, reportOf } from './report.ts';
import { STEPS } from './steps.ts';

/** The stage of serverless.yml that has all that can be tried, and keeps nothing. */
const STAGE = 'first';

const USAGE = `Usage: npm run first-stage -- --region eu-central-1 --report report.md
  --region <region>  where the stage is deployed; otherwise as the AWS command line finds it, or eu-central-1
  --report <file>    where the report is written, first-stage.md if not given
  --delete           only deletes what a run before has left
  --dry-run          on this machine, with a stand-in for AWS. Needs Python
Take an empty account: the stage costs less than a dollar, and is deleted within some hours. Doors need the rights of an administrator.`;

const OPTIONS = { region: TEXT, report: { ...TEXT, default: 'first-stage.md' }, delete: FLAG, 'dry-run': FLAG };

async function outcomeOf(title: string, step: () => Promise<string>): Promise<Outcome> {
  const start = systemRuntime.now();
  const [isWell, said] = await step().then(
    (seen) => [true, seen] as const,
    (error) => [false, `\`\`\`\n${reasonOf(error)}\n\`\`\``] as const,
  );
  const seconds = Math.round((systemRuntime.now() - start) / 1_000);
  process.stdout.write(`${isWell ? '✓' : '✗'} ${title} (${seconds} s)\n${isWell ? '' : `${said}\n`}`);
  return { title, seconds, said, isWell };
}

/** @throws {Error} when something is left, which costs */
async function clean({ first }: Place): Promise<string> {
  const left = await deleteAll(first, first.stage);
  if (left.length > 0) throw new Error(left.join('\n'));
  return 'Nothing is left.';
}

/** A failed step ends the run: the next ones need it. */
async function live({ first }: Place): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [title, step] of Object.entries(STEPS)) {
    const outcome = await outcomeOf(title, () => step(first));
    outcomes.push(outcome);
    if (!outcome.isWell) break;
  }
  return outcomes;
}

async function main(): Promise<number> {
  const { report, delete: isDeleting = false, 'dry-run': isDry = false, ...given } = readOptions(OPTIONS, USAGE);
  const region = await findRegion(given.region);
  if (!isDry) await requireCredentials(accountAt(undefined, region).client.config, 'Nothing was deployed');
  const place = await (isDry ? atStandIn(STAGE) : atAws(STAGE, region, isDeleting));
  const outcomes: Outcome[] = [];
  try {
    if (!isDeleting) outcomes.push(...(await live(place)));
  } finally {
    outcomes.push(await outcomeOf('everything is deleted', () => clean(place)));
    await place.end();
  }
  writeFileSync(report, reportOf(outcomes, place.about));
  process.stdout.write(`The report is in ${report}.\n`);
  return outcomes.every(({ isWell }) => isWell) ? 0 : 1;
}

runCheck(main);
