import autocannon, { type Request, type Result } from 'autocannon';

const WARM_UP_SECONDS = 1;

export interface Load {
  url: string;
  requests: Request[];
  seconds: number;
  connections: number;
  /** Requests per second. As many as possible if not given. */
  rate?: number;
}

export interface Figures {
  perSecond: number;
  p99Ms: number;
  /** Responses that were not 2xx, by status, and requests without a response. Empty if all is well. */
  failures: string[];
}

function failuresOf({ statusCodeStats = {}, errors }: Result): string[] {
  const others = Object.entries(statusCodeStats).filter(([status]) => !status.startsWith('2'));
  return [
    ...others.map(([status, { count }]) => `${count} responses ${status}`),
    ...(errors > 0 ? [`${errors} requests without a response`] : []),
  ];
}

const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;

/** autocannon's own histogram counts whole milliseconds, which is too coarse for an echo. */
export function run({ url, requests, seconds, connections, rate }: Load): Promise<Figures> {
  const times: number[] = [];
  return new Promise((resolve, reject) => {
    const options = {
      url,
      requests,
      duration: seconds,
      connections,
      ...(rate !== undefined && { overallRate: rate, ignoreCoordinatedOmission: true }),
    };
    autocannon(options, (error, result) => {
      if (error) return reject(error);
      resolve({
        perSecond: result['2xx'] / result.duration,
        p99Ms: percentile99(times),
        failures: failuresOf(result),
      });
    }).on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  });
}

/** Measures after a second of warming up, which does not count but must not fail. */
export async function runWarm(load: Load): Promise<Figures> {
  const warmUp = await run({ ...load, seconds: WARM_UP_SECONDS });
  const figures = await run(load);
  return { ...figures, failures: [...warmUp.failures, ...figures.failures] };
}
