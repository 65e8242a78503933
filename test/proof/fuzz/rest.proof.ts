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
  timed: true,
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
                ...contractFaults(draft, request, answer),
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

// An expectation other than 100-continue is refused before the path is known.
const isUnmetExpectation = ({ headers }: HttpRequest, { status, body }: HttpAnswer) =>
  status === 417 &&
  headers['expect'] !== undefined &&
  Object(parseJson(body)).code === 'EXPECTATION_FAILED';

function contractFaults(
  { template }: DraftRequest,
  request: HttpRequest,
  answer: HttpAnswer,
): string[] {
  const { method, path, headers } = request;
  const [pathname = ''] = path.split('?');
  if (
    isFromParser(answer) ||
    isInvalidHost(request, answer) ||
    isUnmetExpectation(request, answer) ||
    !/^\/api(\/|$)/.test(pathname)
  )
    return [];
  if (
    answer.headers.get('content-type') === 'text/event-stream; charset=utf-8' &&
    headers['accept'] === 'text/event-stream'
  )
    return [];
  if (answer.status === 200 && requestsRows(request) && !isJson(answer))
    return faultsOfRows(template, request, answer);
  return faultsOfAnswer(
    { status: answer.status, headers: answer.headers, body: parseJson(answer.body) },
    method,
    pathname,
  );
}

const typeOf = ({ headers }: HttpAnswer) => headers.get('content-type') ?? '';
const isJson = (answer: HttpAnswer) => typeOf(answer).startsWith('application/json');

const requestsRows = ({ path, headers }: HttpRequest) =>
  ['csv', 'ndjson'].includes(queryOf(path).get('format') ?? '') ||
  /text\/csv|application\/x-ndjson/.test(String(headers['accept'] ?? ''));

const queryOf = (path: string) => new URLSearchParams(path.split('?')[1] ?? '');

/** The contradictions between a list of rows and the document, which names its media types. */
function faultsOfRows(template: string, request: HttpRequest, answer: HttpAnswer): string[] {
  const { path, method } = request;
  const type = typeOf(answer);
  const [mediaType = ''] = type.split(';');
  const success = committedDocument.paths[template]?.['get']?.responses[200];
  const content = success && 'content' in success ? success.content?.[mediaType] : undefined;
  const format = queryOf(path).get('format');
  const text = answer.body.toString();
  const lines = text.split('\n').filter((line) => line !== '');
  // The status and the headers are those of a page as JSON, apart from the media type.
  const headers = new Headers(answer.headers);
  headers.set('content-type', 'application/json; charset=utf-8');
  return [
    ...(content && type === `${mediaType}; charset=utf-8` ? [] : [`its type is ${type}`]),
    ...(format !== null && !mediaType.endsWith(format) ? [`${format} has the type ${type}`] : []),
    ...(mediaType === 'text/csv' && method !== 'HEAD' && !text.startsWith(String(content?.example))
      ? ['it does not begin with the documented names']
      : []),
    ...(mediaType === 'application/x-ndjson' && lines.some((line) => !isJsonText(line))
      ? ['a line holds no JSON']
      : []),
    ...faultsOfAnswer(
      { status: answer.status, headers, body: undefined },
      'HEAD',
      path.split('?')[0] ?? '',
    ),
  ];
}

const isJsonText = (line: string) => parseJson(Buffer.from(line)) !== undefined;

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
