import { atLeast } from '../../bench/goals.ts';
import { committedDocument, faultsOfAnswer } from '../../support/openapi.ts';
import type { Proof } from '../proof.ts';
import { createAnswerChecker, processGoals } from './answer-checker.ts';
import { brokenRequest } from './break-request.ts';
import { readLiveIds, updateIds } from './live-ids.ts';
import { type DraftRequest, fuzzKeys, toHttpRequest, validDraft } from './rest-requests.ts';
import { runConcurrently } from './run-concurrently.ts';
import { seededRandom } from './seeded-random.ts';
import { type HttpAnswer, type HttpRequest, parseJson, send } from './send.ts';
import { openTarget } from './target.ts';

const concurrency = 4;

export const proof: Proof = {
  claim:
    'No REST request, valid or broken, causes an answer of 5xx, a hang, or an answer with internal details',
  async measure({ quick, seed, log }) {
    const count = quick ? 500 : 10_000;
    const target = await openTarget();
    try {
      const ids = await readLiveIds(target);
      const keys = fuzzKeys(target);
      const checker = createAnswerChecker({ target, seed, log });
      let heapBefore = 0;
      let successCount = 0;
      await runConcurrently(count, concurrency, async (index) => {
        if (index === count / 5) heapBefore = await target.heapBytes();
        if (index > 0 && index % 2_000 === 0) log(`${index} requests`);
        const random = seededRandom(seed, index);
        const draft = validDraft(random, ids, keys);
        const isValid = index % 2 === 0;
        const request = isValid ? toHttpRequest(draft) : brokenRequest(random, draft, keys);
        const answer = await send(target.address, request);
        checker.check(
          index,
          target.address,
          request,
          answer,
          'failure' in answer
            ? []
            : [
                ...contractFaults(request, answer),
                ...(isValid ? unexpectedRefusals(draft, answer) : []),
              ],
          /\/content\b/.test(request.path),
        );
        if (!('failure' in answer) && answer.status < 300) {
          if (isValid) successCount += 1;
          updateIds(ids, request, answer);
        }
      });
      return [
        atLeast(count, { figure: 'REST requests, half of them valid', value: count, unit: '' }),
        atLeast(60, {
          figure: 'valid requests that succeeded',
          value: (successCount / (count / 2)) * 100,
          unit: '%',
        }),
        ...checker.goals(),
        ...(await processGoals(target, heapBefore, log)),
      ];
    } finally {
      await target.stop();
    }
  },
};

// Node itself refuses invalid or overlong HTTP with an empty body, before any code of Atrium runs.
const isFromParser = (answer: HttpAnswer) =>
  (answer.status === 400 || answer.status === 431 || answer.status === 417) &&
  answer.body.length === 0 &&
  !answer.headers.has('x-request-id');

// These characters would end the host part of the URL, so the server refuses the request before it
// knows a path, and the contract does not apply.
const isInvalidHost = ({ headers }: HttpRequest, { status }: HttpAnswer) =>
  status === 400 && /[/?#\\@]/.test(String(headers['host'] ?? ''));

function contractFaults(request: HttpRequest, answer: HttpAnswer): string[] {
  const { method, path, headers } = request;
  const [pathname = ''] = path.split('?');
  if (isFromParser(answer) || isInvalidHost(request, answer) || !/^\/api(\/|$)/.test(pathname))
    return [];
  if (
    answer.headers.get('content-type') === 'text/event-stream; charset=utf-8' &&
    headers['accept'] === 'text/event-stream'
  )
    return [];
  return faultsOfAnswer(
    { status: answer.status, headers: answer.headers, body: parseJson(answer.body) },
    method,
    pathname,
  );
}

const neverForValid = [400, 401, 405, 408, 413, 415];

/**
 * A valid request succeeds or is refused because of the current state, never because of its input.
 */
function unexpectedRefusals({ template, method }: DraftRequest, { status }: HttpAnswer): string[] {
  const documentedAnswer =
    committedDocument.paths[template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
      ?.responses[status];
  // The document describes separately which other reasons than bad input lead to this status.
  const dependsOnState = documentedAnswer !== undefined && !('$ref' in documentedAnswer);
  return neverForValid.includes(status) && !dependsOnState
    ? ['the document allows this request']
    : [];
}
