import { setTimeout as pause } from 'node:timers/promises';
import type { CommittedResults } from '../platform/database/database.ts';
import { AppError } from '../platform/errors.ts';
import {
  abandon,
  beginRequest,
  heartbeat,
  heartbeatEveryMs,
  keepAnswer,
  keepStep,
  type RequestName,
  type RequestRecord,
  type RequestStatus,
  statusOf,
  stillRunning,
} from '../platform/idempotency/request-records.ts';
import type { Seal } from '../platform/idempotency/seal.ts';
import type { Context } from './context.ts';
import { memberOf } from './scopes.ts';

type Outcome = { text: string; replayed: boolean };
type Call = {
  context: Context;
  key: string;
  /**
   * What makes two requests the same; of a request with a file, as far as it is known before the
   * file is read.
   */
  fingerprint: Uint8Array;
  /**
   * Of a request with a file: what makes two the same, its content included. What nobody has read
   * of it by then is read.
   */
  wholeFingerprint?: (() => Promise<Uint8Array>) | undefined;
  /** Encrypts what is stored of the call: its answer, and what its transactions returned. */
  seal?: Seal;
};

// Longer than a usual call takes, shorter than a client's patience.
const waitMsMax = 3_000;
const pauseMsMax = 200;

/**
 * Runs a call once, however often it comes. Each of its transactions stores what it returned, so
 * that a run that died after a commit is run again without writing again; a success is stored as
 * text and repeated. A refusal is not kept: it wrote nothing, and may be none tomorrow.
 */
export async function executeOnce(
  { context, key, fingerprint, wholeFingerprint, seal = unsealed }: Call,
  call: (context: Context) => Promise<string>,
): Promise<Outcome> {
  const { database, log, requestId } = context;
  const begun = await beginOrRead(
    { ...senderOf(context), key },
    { fingerprint, wholeFingerprint },
    context,
  );
  if ('answer' in begun)
    return {
      text: seal === unsealed ? begun.answer : openText(seal, begun.answer),
      replayed: true,
    };

  const keep: CommittedResults['keep'] = async (tx, result) =>
    keepStep(begun, seal.seal(result), tx, await wholeFingerprint?.());
  const steps: CommittedResults = { earlier: begun.steps.map(seal.open), keep };
  const failed = (error: unknown) =>
    log.warn({ requestId, err: error }, 'the record of an idempotent request could not be written');
  const alive = setInterval(() => void heartbeat(begun, context).catch(failed), heartbeatEveryMs);
  try {
    const text = await call({ ...context, database: { ...database, steps } });
    await keepAnswer(begun, seal === unsealed ? text : sealText(seal, text), context);
    return { text, replayed: begun.steps.length > 0 };
  } catch (error) {
    // Where this fails too, the run is taken for dead a few seconds later.
    await abandon(begun, context).catch(failed);
    throw error;
  } finally {
    clearInterval(alive);
  }
}

const unsealed: Seal = { seal: (plain) => plain, open: (sealed) => sealed };
const sealText = (seal: Seal, text: string): string =>
  Buffer.from(seal.seal(Buffer.from(text))).toString('base64');
const openText = (seal: Seal, sealed: string): string =>
  Buffer.from(seal.open(Buffer.from(sealed, 'base64'))).toString();

/**
 * A request that another run has is waited for, for a while. A request with a file is known by its
 * whole fingerprint once the file is stored, and until then by what precedes the file. So a file
 * that comes again is read and compared only when the one before it was stored.
 */
async function beginOrRead(
  name: RequestName,
  { fingerprint, wholeFingerprint }: Pick<Call, 'fingerprint' | 'wholeFingerprint'>,
  { database, clock }: Context,
): Promise<RequestRecord | { answer: string }> {
  const giveUpAt = performance.now() + waitMsMax;
  let own = fingerprint;
  let standing: RequestStatus | undefined;
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
    const at = clock();
    const run = standing?.isAlive ? undefined : await beginRequest(name, own, at, { database });
    if (run && (own === fingerprint || run.steps.length > 0)) return run;
    if (run) {
      // The file was read to compare it with one that is forgotten by now: only its sender can send
      // it again.
      await abandon(run, { database });
      throw stillRunning();
    }
    standing = await statusOf(name, at, { database });
    if (standing && Buffer.compare(standing.fingerprint, own) !== 0) {
      own = (await wholeFingerprint?.()) ?? fingerprint;
      if (Buffer.compare(standing.fingerprint, own) !== 0)
        throw new AppError(
          'IDEMPOTENCY_KEY_REUSED',
          'This Idempotency-Key was sent with another method, path or body',
        );
    }
    if (typeof standing?.answer === 'string') return { answer: standing.answer };
    if (performance.now() > giveUpAt) throw stillRunning();
    await pause(pauseMs);
  }
}

/**
 * One key names one request of an organization; with user keys, of one person: nobody is shown
 * another's answers.
 */
function senderOf({ viewer }: Context): Omit<RequestName, 'key'> {
  const member = memberOf(viewer);
  return {
    organizationId: member.organizationId,
    userId: member.kind === 'ORGANIZATION_KEY' ? '' : member.userId,
  };
}
