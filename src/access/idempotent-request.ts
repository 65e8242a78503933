import { setTimeout as pause } from 'node:timers/promises';
import type { CommittedResults } from '../platform/database/database.ts';
import { AppError } from '../platform/errors.ts';
import {
  abandon,
  heartbeat,
  heartbeatEveryMs,
  type RequestName,
  type RequestRecord,
  type RequestStatus,
  saveAnswer,
  saveStep,
  startRequest,
  statusOf,
  stillRunning,
} from '../platform/idempotency/request-records.ts';
import type { Seal } from '../platform/idempotency/seal.ts';
import type { Context } from './context.ts';
import { memberOf } from './scopes.ts';

type StoredOutcome = { text: string; replayed: boolean };
type IdempotentCall = {
  context: Context;
  key: string;
  /**
   * Hash that identifies equal requests. For a request with a file it covers what is known before
   * the file is read.
   */
  fingerprint: Uint8Array;
  /**
   * For a request with a file: the hash including the file's content. Reads the rest of the file if
   * necessary.
   */
  wholeFingerprint?: (() => Promise<Uint8Array>) | undefined;
  /** Encrypts the stored answer and the stored results of transactions. */
  seal?: Seal;
};

// Longer than most calls take, and shorter than the timeout of most clients.
const waitMsMax = 3_000;
const pauseMsMax = 200;

/**
 * Executes a request once, however often it is sent. Each transaction stores its result, so that a
 * run that ended after a commit can be repeated without writing twice. A successful answer is
 * stored and repeated. An error is not stored: it has written nothing, and the next attempt may
 * succeed.
 */
export async function executeOnce(
  { context, key, fingerprint, wholeFingerprint, seal = noSeal }: IdempotentCall,
  call: (context: Context) => Promise<string>,
): Promise<StoredOutcome> {
  const { database, log, requestId } = context;
  const record = await startOrReadAnswer(
    { ...senderOf(context), key },
    { fingerprint, wholeFingerprint },
    context,
  );
  if ('answer' in record)
    return {
      text: seal === noSeal ? record.answer : openText(seal, record.answer),
      replayed: true,
    };

  const save: CommittedResults['save'] = async (tx, result) =>
    saveStep(record, seal.seal(result), tx, await wholeFingerprint?.());
  const committedResults: CommittedResults = { pending: record.steps.map(seal.open), save };
  const logFailure = (error: unknown) =>
    log.warn({ requestId, err: error }, 'the record of an idempotent request could not be written');
  const heartbeatTimer = setInterval(
    () => void heartbeat(record, context).catch(logFailure),
    heartbeatEveryMs,
  );
  try {
    const text = await call({ ...context, database: { ...database, committedResults } });
    await saveAnswer(record, seal === noSeal ? text : sealText(seal, text), context);
    return { text, replayed: record.steps.length > 0 };
  } catch (error) {
    // If this fails as well, the missing heartbeats end the run a few seconds later.
    await abandon(record, context).catch(logFailure);
    throw error;
  } finally {
    clearInterval(heartbeatTimer);
  }
}

const noSeal: Seal = { seal: (plain) => plain, open: (sealed) => sealed };
const sealText = (seal: Seal, text: string): string =>
  Buffer.from(seal.seal(Buffer.from(text))).toString('base64');
const openText = (seal: Seal, sealed: string): string =>
  Buffer.from(seal.open(Buffer.from(sealed, 'base64'))).toString();

/**
 * Waits up to three seconds for a request that another run is executing. A request with a file is
 * identified by its whole fingerprint once the file is stored, and before that by what precedes the
 * file. So a repeated file is read and compared only if the earlier one was stored.
 */
async function startOrReadAnswer(
  name: RequestName,
  { fingerprint, wholeFingerprint }: Pick<IdempotentCall, 'fingerprint' | 'wholeFingerprint'>,
  { database, clock }: Context,
): Promise<RequestRecord | { answer: string }> {
  const deadline = performance.now() + waitMsMax;
  let currentFingerprint = fingerprint;
  let status: RequestStatus | undefined;
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
    const at = clock();
    const run = status?.isAlive
      ? undefined
      : await startRequest(name, currentFingerprint, at, { database });
    if (run && (currentFingerprint === fingerprint || run.steps.length > 0)) return run;
    if (run) {
      // The file was read for comparison with a record that has since been deleted. It cannot be
      // read again, so the client must repeat the request.
      await abandon(run, { database });
      throw stillRunning();
    }
    status = await statusOf(name, at, { database });
    if (status && Buffer.compare(status.fingerprint, currentFingerprint) !== 0) {
      currentFingerprint = (await wholeFingerprint?.()) ?? fingerprint;
      if (Buffer.compare(status.fingerprint, currentFingerprint) !== 0)
        throw new AppError(
          'IDEMPOTENCY_KEY_REUSED',
          'This Idempotency-Key was sent with another method, path or body',
        );
    }
    if (typeof status?.answer === 'string') return { answer: status.answer };
    if (performance.now() > deadline) throw stillRunning();
    await pause(pauseMs);
  }
}

/**
 * An Idempotency-Key is unique per organization, and with user keys and sessions per person, so
 * that nobody gets the answer of another person.
 */
function senderOf({ viewer }: Context): Omit<RequestName, 'key'> {
  const member = memberOf(viewer);
  return {
    organizationId: member.organizationId,
    userId: member.kind === 'ORGANIZATION_KEY' ? '' : member.userId,
  };
}
