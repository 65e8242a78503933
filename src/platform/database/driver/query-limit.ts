import { Client } from 'pg';

/** `pg` has the same message for its own limit. */
export const queryLimitMessage = 'Query read timeout';

/**
 * Closes the connection of a client when the server takes longer than `ms` for a query, so that the
 * query and those behind it fail. The limit of `pg` starts and clears a timer for each query.
 * With that, the garbage collector of V8 kept an eighth of what the reads of a list had allocated
 * until its next full collection, and its pauses were ten times as long. This limit has one timer,
 * which starts again at most once in `ms`.
 */
export function limitQueries(client: Client, ms: number): void {
  const { connection } = client;
  let pending = 0;
  /** Since when the server has not completed the query that it executes. */
  let sinceMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    timer = undefined;
    if (pending === 0) return;
    const leftMs = sinceMs + ms - performance.now();
    if (leftMs > 0) timer = setTimeout(check, leftMs);
    else connection.stream.destroy(new Error(queryLimitMessage));
  };
  client.query = ((...parameters: Parameters<typeof client.query>) => {
    if (pending === 0) sinceMs = performance.now();
    pending += 1;
    timer ??= setTimeout(check, ms);
    // Instrumentation may replace this function at any time.
    return Client.prototype.query.apply(client, parameters);
  }) as typeof client.query;
  // The server becomes ready once for each query, and once after the connection was opened.
  connection.on('readyForQuery', () => {
    sinceMs = performance.now();
    if (pending > 0) pending -= 1;
  });
  connection.once('end', () => {
    pending = 0;
    clearTimeout(timer);
  });
}
