/** The settings of a stage. */
export interface EventSettings {
  enabled: boolean;
  /** For how many days changes are kept. */
  historyDays: number;
}

/** The function that sends changes to the bus. */
export const SEND_EVENTS = 'sendEvents';

/** Why a stage cannot have events, in one sentence. Undefined if it can. */
export const refusalOfEvents = (stage: string, { historyDays }: EventSettings): string | undefined =>
  Number(historyDays) === 0
    ? `Stage ${stage} has events, but keeps no changes to make them from: set its historyDays to some days, or its events to false.`
    : undefined;
