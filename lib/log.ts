/** One JSON line a fault, as CloudWatch Logs Insights reads it. Stack and cause go here and nowhere else. */
export function logFault(error: Error, requestId: string | undefined): void {
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    causes.push(cause.stack ?? cause.message);
  console.error(JSON.stringify({ level: 'error', requestId, message: error.message, causes }));
}
