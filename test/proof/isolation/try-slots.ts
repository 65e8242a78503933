import type { IncomingMessage } from 'node:http';
import { newId } from '../../../src/platform/ids.ts';
import type { TestApp } from '../../support/app.ts';
import { comparableAnswer, type LeakDetector, type ReceivedAnswer } from './leak-detector.ts';
import type { ApiRequest, RequestSlot, ValueKind } from './request-slots.ts';
import { noCredentials, type TestCaller } from './tenants.ts';

export async function sendAs(
  app: TestApp,
  caller: TestCaller,
  { method, path, headers, body }: ApiRequest,
): Promise<ReceivedAnswer> {
  const request = new Request(`http://atrium.test${path}`, {
    method,
    headers: { ...caller.headers, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  // Each request has another client address, because limits per address would stop the trials.
  const req = {
    socket: { remoteAddress: nextAddress() },
    headers: { host: 'atrium.test' },
    rawHeaders: ['host', 'atrium.test'],
  } as unknown as IncomingMessage;
  const response = await app.fetch(request, { req });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

let addressCount = 0;
function nextAddress(): string {
  addressCount += 1;
  return `10.${(addressCount >> 16) & 255}.${(addressCount >> 8) & 255}.${addressCount & 255}`;
}

type SlotTrials = {
  app: TestApp;
  leakDetector: LeakDetector;
  callers: readonly TestCaller[];
  slots: readonly RequestSlot[];
  /** The values of the other tenant for a slot, those of the right kind first. */
  foreign: (kind: ValueKind) => readonly string[];
  /** A value that no tenant has. */
  unknown: (kind: ValueKind) => string;
};

/** `unreached` are the slots where a permission check refused every caller. */
export type SlotTrialResult = { differing: string[]; broken: string[]; unreached: Set<string> };

/**
 * Puts values of another tenant and unknown values into every slot. The answers to both must be
 * equal.
 */
export async function trySlots({
  app,
  leakDetector,
  callers,
  slots,
  foreign,
  unknown,
}: SlotTrials): Promise<SlotTrialResult> {
  const result: SlotTrialResult = {
    differing: [],
    broken: [],
    unreached: new Set(slots.map(({ where }) => where)),
  };
  // All callers try a slot before the next one, so that its GraphQL document is parsed once.
  for (const { where, kinds, isComparable, isAnonymous = false, request: requestFor } of slots) {
    for (const caller of isAnonymous
      ? callers.filter(({ headers }) => headers === noCredentials)
      : callers) {
      const trial = `${where} as ${caller.name}`;
      const tryValue = async (valueFor: (kind: ValueKind) => string) => {
        const request = requestFor(valueFor);
        const answer = await sendAs(app, caller, request);
        const values = kinds.map(valueFor);
        leakDetector.checkAnswer(trial, values.join(' ') + request.path, answer);
        if (answer.status >= 500) result.broken.push(`${answer.status} ${trial}`);
        const isRefused =
          answer.status === 401 || answer.status === 403 || refusedByGraph.test(answer.text);
        return { comparison: comparableAnswer(answer, values), text: answer.text, isRefused };
      };
      const unknownAnswer = await tryValue(unknown);
      if (!unknownAnswer.isRefused) result.unreached.delete(where);
      if (limitRefusal.test(unknownAnswer.text))
        result.broken.push(`a limit for documents refused ${trial}`);
      const valueCount = Math.max(...kinds.map((kind) => foreign(kind).length));
      for (let index = 0; index < valueCount; index += 1) {
        const foreignAnswer = await tryValue(
          (kind) => foreign(kind)[index] ?? foreign(kind)[0] ?? '',
        );
        if (isComparable && foreignAnswer.comparison !== unknownAnswer.comparison)
          result.differing.push(
            `${trial}\n  foreign ${foreignAnswer.comparison}\n  unknown ${unknownAnswer.comparison}`,
          );
      }
    }
  }
  return result;
}

const limitRefusal = /"(The query|This document|You) [^"]*(ask for|too (deep|many|large))/;

const refusedByGraph =
  /^\{("data":null,)?"errors":.*"code":"(FORBIDDEN|UNAUTHENTICATED|FEATURE_DISABLED)"/;

/** Values that no tenant has, in the format of real ones. */
export function unknownValues(mark: string): (kind: ValueKind) => string {
  const id = newId();
  return (kind) =>
    kind === 'search'
      ? [...mark].reverse().join('')
      : kind === 'email'
        ? 'unknown@unknown.example'
        : id;
}
