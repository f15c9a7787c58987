import { useState } from 'preact/hooks';
import { counted } from './Costs.tsx';
import type { Body } from './connection.ts';
import { Edit } from './Edit.tsx';
import { Export } from './Export.tsx';
import type { Filters } from './filters.ts';
import { Popover } from './Popover.tsx';
import { useShared } from './shared.ts';
import { FailureLine } from './Trouble.tsx';
import { numberOf } from './time.ts';
import { useSaving } from './useSaving.ts';

/** Users who are chosen, of those who match: some, by their ids, or all. */
export type Chosen = ReadonlySet<number> | 'all';

interface Props {
  chosen: Chosen;
  /** How many match. */
  total: number;
  choose(chosen: Chosen): void;
}

/** What can be done with the users who are chosen. It goes on when another page is shown. */
export function ChosenBar({ chosen, total, choose }: Props) {
  const { connection, session, view, tell } = useShared();
  const { attempt, isSaving, failure } = useSaving(() => choose(new Set()));
  const [left, setLeft] = useState({ of: 0, now: 0 });

  const isAll = chosen === 'all';
  const query: Filters = isAll ? view.filters : { id: [...chosen].map(String) };

  /** Goes on until all are changed, no more than were counted. */
  const run = (body: Body, count: number) =>
    attempt(async () => {
      setLeft({ of: count, now: count });
      const json = { ...body, atMost: count };
      const onLeft = (now: number) => setLeft({ of: count, now });
      const { edit, changed, failed } = await connection.edit('/edits', { query, json }, onLeft);

      // Who could not be changed is told with the first reason.
      const done = body.delete ? 'deleted' : 'changed';
      const others = failed[0] ? `, ${numberOf(failed.length)} not: ${failed[0].message}` : '';
      const undo = async () =>
        `${counted((await connection.edit(`/edits/${edit}/undo`, {})).changed, 'user')} are as before`;
      tell(
        `${counted(changed, 'user')} ${changed === 1 ? 'was' : 'were'} ${done}${others}`,
        session.may('users:audit') ? undo : undefined,
      );
      return true;
    });

  return (
    <section class="bar hstack chosen" aria-label="Chosen users">
      <b>{isAll ? `All ${counted(total, 'user')} that match` : `${numberOf(chosen.size)} chosen`}</b>
      {!isAll && chosen.size < total && (
        <button type="button" class="outline" onClick={() => choose('all')}>
          {`Choose all ${numberOf(total)} that match`}
        </button>
      )}
      {isSaving && <progress max={left.of} value={left.of - left.now} aria-label="Changed" />}
      <FailureLine failure={failure} />
      <span class="end hstack gap-2">
        <Popover text="Change …" shortcut="e" class="outline">
          {(close) => (
            <Edit
              query={query}
              run={(body, count) => {
                close();
                run(body, count);
              }}
            />
          )}
        </Popover>
        <Export filters={query} />
        <button type="button" class="ghost" aria-label="Choose nobody" onClick={() => choose(new Set())}>
          ×
        </button>
      </span>
    </section>
  );
}
