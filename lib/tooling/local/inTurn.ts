/**
 * Makes a function that runs the work once at a time. Who asks while it runs gets a run that begins after that one, together with all
 * others who ask meanwhile.
 */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    running = work();
    return running;
  };
  return () => {
    next ??= running.catch(() => undefined).then(begin);
    return next;
  };
}
