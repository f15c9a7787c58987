import { isOffline } from '../data/connection.ts';
import { labelOf, PROPERTIES } from '../data/filters.ts';
import { go, goToNew, view } from '../data/state.ts';
import { columnsOf, sortedBy } from '../data/view.ts';
import { Button, Popover, Select } from '../parts/parts.tsx';
import { may } from '../session/session.ts';
import { useExport } from './Export.tsx';
import { SaveView } from './Views.tsx';

/** The columns and the order of the list: on a phone there are no heads of columns to click. */
function Columns({ attributes }: { attributes: readonly string[] }) {
  const shown = columnsOf(view);
  const all = [...new Set([...PROPERTIES, ...attributes, ...shown])];
  const change = (name: string) =>
    go({ column: all.filter((each) => (each === name) !== shown.includes(each)) }, 'replaceState');
  const orders = all
    .flatMap((name) => [name, `${name},desc`])
    .map((order) => [order, labelOf(sortedBy(order)) + (order.endsWith(',desc') ? ', descending' : '')] as const);
  return (
    <div class="vstack">
      <Select
        label="Sort by"
        value={view.sort[0]?.replace(/,asc$/, '') ?? ''}
        options={[['', 'The newest first'], ...orders]}
        onValue={(order) => go({ sort: [order], page: '' })}
      />
      {all.slice(1).map((name) => (
        <label key={name}>
          <input type="checkbox" checked={shown.includes(name)} onChange={() => change(name)} />
          {labelOf(name)}
        </label>
      ))}
    </div>
  );
}

/** The actions on the list, on a phone in a menu. */
export function Tools({ attributes }: { attributes: readonly string[] }) {
  const { buttons, progress, isSaving } = useExport(view.filters);
  const columns = () => <Columns attributes={attributes} />;
  return (
    <span class="end hstack">
      <Popover sign="columns" text="Columns" class="outline wide" name="Columns and order">
        {columns}
      </Popover>
      {progress}
      {!isSaving && (
        <span class="joined wide">
          {buttons('outline')[0]}
          <Popover hasArrow name="Other exports">
            {(close) => buttons('ghost', close).slice(1)}
          </Popover>
        </span>
      )}
      <Popover sign="more" class="outline narrow" name="More of the list">
        {(close) => (
          <div class="vstack">
            {buttons('ghost', close)}
            <SaveView />
            {columns()}
          </div>
        )}
      </Popover>
      {may('users:write') && (
        <Button
          sign="plus"
          text={<span class="wide">New user</span>}
          class="new"
          name="New user"
          disabled={isOffline()}
          onClick={goToNew}
        />
      )}
    </span>
  );
}
