import { MAX_IDS } from '../../schemas/limits.ts';
import { Button } from './Button.tsx';
import { counted } from './Costs.tsx';
import { Edit } from './Edit.tsx';
import { Export } from './Export.tsx';
import type { Filters } from './filters.ts';
import { useMany } from './Many.tsx';
import { Popover } from './Popover.tsx';
import { useShared } from './shared.ts';
import { numberOf } from './time.ts';

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
  const { view } = useShared();
  const { run, progress } = useMany(() => choose(new Set()));

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
            <Popover text="Change …" shortcut="e" class="outline">
              {(close) => (
                <Edit
                  query={query}
                  run={(body, atMost) => {
                    close();
                    const done = body.delete ? 'deleted' : 'changed';
                    run('/edits', { query, json: { ...body, atMost } }, [`was ${done}`, `were ${done}`]);
                  }}
                />
              )}
            </Popover>
            <Export filters={query} />
          </>
        )}
        <Button text="×" class="ghost" name="Choose nobody" onClick={() => choose(new Set())} />
      </span>
    </section>
  );
}
