import { addressWith } from '../data/state.ts';
import { dropTask, leftOf, setTask, stopTask, type Task } from '../data/task.ts';
import { counted, numberOf } from '../data/time.ts';
import { Panel } from '../parts/Panel.tsx';
import { Button, Text } from '../parts/parts.tsx';
import { NotSaved } from '../parts/Trouble.tsx';

const title = ({ doing, total }: Task): string => (total > 0 ? `${doing} ${counted(total, 'user')}` : doing);

/** How much is done, in numbers; a quarter more is said aloud. */
function Bar({ task }: { task: Task }) {
  const { done, total, doing } = task;
  const quarters = total > 0 ? Math.floor((done / total) * 4) : 0;
  return (
    <>
      <progress
        aria-label={title(task)}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={`${numberOf(done)} of ${numberOf(total)}`}
        {...(total > 0 && done > 0 && { value: done, max: total })}
      />
      <span class="unseen" role="status">
        {quarters > 0 && `${doing}: ${quarters * 25} %`}
      </span>
    </>
  );
}

const close = () => setTask({ isShown: false });

/** Absent after a refusal: it would be refused once more. */
const GoOn = ({ task }: { task: Task }) =>
  task.failure && task.failure.retryAfterS === undefined ? null : <Button text="Go on" class="" onClick={task.goOn} />;

const Stop = ({ task }: { task: Task }) => (
  <Button text={task.isStopping ? 'Stopping …' : 'Stop here'} disabled={task.isStopping} onClick={stopTask} />
);

/** A change of many on its way: how far it is, and who could not be changed, by name. */
export function ProgressPanel({ task }: { task: Task }) {
  const { whom, total, done, failed, names, isRunning, failure } = task;
  const isWhole = !isRunning && done === total;
  const footer = isRunning ? (
    <>
      <Stop task={task} />
      <small>Those who are done stay so, and can be taken back</small>
    </>
  ) : (
    <>
      {!isWhole && <GoOn task={task} />}
      <Button text="Close" onClick={dropTask} />
    </>
  );
  return (
    <Panel
      title={title(task)}
      below={<p title={whom}>{whom}</p>}
      footer={footer}
      isModal
      onClose={isWhole ? dropTask : close}
    >
      <p class="done">
        {total > 0 && (
          <>
            <b>{numberOf(done)}</b> of {numberOf(total)}
          </>
        )}
        {isRunning && <span class="end">{leftOf(task)}</span>}
      </p>
      <Bar task={task} />
      <NotSaved failure={failure} isTried={isRunning} isModal />
      {failed.length > 0 && (
        <>
          <h3>{failed.length === 1 ? '1 stays as it was' : `${numberOf(failed.length)} stay as they were`}</h3>
          <ul class="failures unstyled">
            {failed.slice(0, 20).map(({ id, message }) => (
              <li key={id}>
                <a href={addressWith({ user: String(id), at: '' })} onClick={close}>
                  <Text text={names.get(id) ?? `User ${id}`} />
                </a>
                <small>{message}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      {isRunning && (
        <p class="note">
          The panel can be closed: it goes on, and the bar of the list shows how far. The tab must stay open.
        </p>
      )}
    </Panel>
  );
}

/** The same in one line, while its panel is closed. */
export const ProgressBar = ({ task }: { task: Task }) => (
  <section class="bar hstack over task" aria-label="On its way">
    <b>{task.doing}</b>
    {task.total > 0 && `${numberOf(task.done)} of ${numberOf(task.total)}`}
    <Bar task={task} />
    <NotSaved failure={task.failure} isTried={task.isRunning} />
    <span class="end hstack gap-2">
      {task.isRunning ? <Stop task={task} /> : <GoOn task={task} />}
      <Button text="Show" onClick={() => setTask({ isShown: true })} />
      {!task.isRunning && <Button text="Close" onClick={dropTask} />}
    </span>
  </section>
);
