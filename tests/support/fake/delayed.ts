/** Changes that become visible later, in the order of their times. */
export class Delayed {
  private readonly now: () => number;
  private readonly pending: { at: number; apply: () => void }[] = [];

  constructor(now: () => number) {
    this.now = now;
  }

  add(at: number, apply: () => void): void {
    let place = this.pending.length;
    while (place > 0 && (this.pending[place - 1]?.at ?? 0) > at) place--;
    this.pending.splice(place, 0, { at, apply });
  }

  /** Applies all changes that are due. */
  arrive(): void {
    const now = this.now();
    const later = this.pending.findIndex(({ at }) => at > now);
    for (const { apply } of this.pending.splice(0, later < 0 ? this.pending.length : later)) apply();
  }
}
