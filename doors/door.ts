/** The settings of a door: these, and the variables of its environment, under their own names. */
export interface Settings {
  /** Where the service is, without a slash at the end. */
  url: string;
  /** The door's own secret: its callers present it as their token, or it signs with it. Empty for a door that passes tokens on. */
  token: string;
  /** The token that the door presents to the service. Absent where the service asks for none, or gets the tokens of callers. */
  serviceToken?: string;
  [variable: string]: string | undefined;
}

/** A door: it answers in another protocol, and asks the API of the service. `door.ts` of each folder exports one as default. */
export type Door = (request: Request, settings: Settings) => Promise<Response>;

/** The memory of a follower between two runs. */
export interface Memory {
  /** The state that was kept last. Undefined at first. */
  last: unknown;
  /** Keeps a state, which can be written as JSON. @throws {Error} if another run has begun meanwhile: this one must end */
  keep: (state: object) => Promise<void>;
}

/** Does all that there is to do, as far as there is time. @throws {Error} if its deployer should look at it */
export type Run = (memory: Memory, hasTime: () => boolean) => Promise<void>;

/** A door that nobody calls: it follows the changes of users. Its `door.ts` exports this as default. */
export interface Follower {
  /** @throws {Error} for settings that are wrong */
  follow: (settings: Settings) => Run;
  /** Another secret with which it may sign. */
  newSecret: () => string;
}

const refusal = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ status, message }, { status, headers });

const AWAY = 'The door has no token for the service at the moment';
const RETRY = { 'retry-after': '5' };

/** The answer of a door, also when it fails. Causes are logged, and not told: they may quote users. */
export async function answer(door: Door, request: Request, settings: () => Promise<Settings>): Promise<Response> {
  try {
    const known = await settings().catch((error) => {
      console.error(error);
    });
    return known === undefined ? refusal(503, AWAY, RETRY) : await door(request, known);
  } catch (error) {
    console.error(error);
    return refusal(500, 'The door has failed');
  }
}
