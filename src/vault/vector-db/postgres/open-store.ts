import { setTimeout as sleep } from 'node:timers/promises';
import {
  retryUntilReachable,
  serverWaitMs,
} from '../../../platform/database/retry-until-reachable.ts';
import { AppError } from '../../../platform/errors.ts';
import type { PassageStore } from '../passage-store.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

const retryMs = 2_000;

/**
 * Opens a store in a schema of a Postgres database. If the process loses the schema, every call is
 * answered with UNAVAILABLE until it owns the schema again.
 */
export async function openPostgresStore({
  waitsForServer = false,
  ...options
}: SessionOptions & { waitsForServer?: boolean | undefined }): Promise<PassageStore> {
  const { log } = options;
  const { schema } = options.address;
  const closing = new AbortController();
  let session: Session | undefined;
  await retryUntilReachable(
    async () => {
      session = await openSession(options);
    },
    waitsForServer ? serverWaitMs : 0,
    log,
  );

  const current = (): Session => {
    if (closing.signal.aborted)
      throw new AppError('UNAVAILABLE', 'The vector database is stopping');
    session?.ownership.require();
    if (!session)
      throw new AppError(
        'UNAVAILABLE',
        'The vector database has lost its connection and is restoring it',
      );
    return session;
  };
  const reopen = async (): Promise<Session | undefined> => {
    for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
      try {
        return await openSession(options);
      } catch (error) {
        if (isFirst) log.warn({ err: error, schema }, 'the vector database is still away');
        await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
    return undefined;
  };
  const watch = async () => {
    while (session) {
      // `reopen` may have ended after the store was closed.
      if (!closing.signal.aborted)
        await Promise.race([session.ownership.lost, aborted(closing.signal)]);
      if (closing.signal.aborted) return;
      log.error(
        { err: session.ownership.reason(), schema },
        'the vector database has lost its lock: it answers nothing and writes nothing until it has it again',
      );
      const lost = session;
      session = undefined;
      await lost.abandon();
      session = await reopen();
      if (session) log.info({ schema }, 'the vector database has its lock again');
    }
  };
  const watching = watch();

  return {
    get collections() {
      return current().collections;
    },
    put: async (write, batches) => current().put(write, batches),
    remove: async (collection, documents) => current().remove(collection, documents),
    passages: async (collection, document, range) =>
      current().passages(collection, document, range),
    search: async (collection, query) => current().search(collection, query),
    ping: async () => current().ping(),
    settled: async () => current().settled(),
    async close() {
      closing.abort();
      await watching;
      await session?.close();
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
