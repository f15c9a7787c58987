import { MAX_IDS } from '../../schemas/limits.ts';
import { Edit } from './Edit.tsx';
import { Export } from './Export.tsx';
import type { Filters } from './filters.ts';
import { runMany } from './many.ts';
import { Popover } from './Popover.tsx';
import { Button } from './parts.tsx';
import { view } from './state.ts';
import { counted, numberOf } from './time.ts';
import { useSaving } from './useSaving.tsx';

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
  const { attempt, progress } = useSaving();
  const nobody = () => choose(new Set());

  const isAll = chosen === 'all';
  const query: Filters = isAll ? view.filters : { id: [...chosen].map(String) };
  const isTooMany = !isAll && chosen.size > MAX_IDS;

  return (
    <section class="bar hstack chosen" aria-label="Chosen users">
      <b>{isAll ? `All ${counted(total, 'user')} that match` : `${numberOf(chosen.size)} chosen`}</b>
      {!isAll && chosen.size < total && (
        <Button text={`Choose all ${numberOf(total)} that match`} onClick={() => choose('all')} />
      )}
      {isTooMany && `At most ${MAX_IDS} at once, or all that match.`}
      {progress}
      <span class="end hstack gap-2">
        {!isTooMany && (
          <>
            <Popover text="Change …" class="outline">
              {(close) => (
                <Edit
                  query={query}
                  run={(json) => {
                    close();
                    const done = 'delete' in json ? 'deleted' : 'changed';
                    const did = [`was ${done}`, `were ${done}`] as const;
                    attempt((onShare) => runMany('/edits', { query, json }, did, onShare), nobody);
                  }}
                />
              )}
            </Popover>
            <Export filters={query} />
          </>
        )}
        <Button text="×" class="ghost" name="Choose nobody" onClick={nobody} />
      </span>
    </section>
  );
}
