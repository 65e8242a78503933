import { faultsOfAnswer } from '../support/openapi.ts';
import { Answer } from './answer.ts';
import type { SentRequest } from './client.ts';
import { callAt } from './contract-calls.ts';
import { atLeast, filledText, matching, oneOf } from './matchers.ts';
import type { Check } from './report.ts';

// Statuses that HTTP adds to the tables of the contract (D5, D45), and server failures that the
// contract does not cover.
const protocolStatuses = [405, 408, 413, 415, 500, 503];
const conditionalStatuses = [304, 409, 412, 416, 422];

/**
 * Checks the rules for every response of a documented call. The titles contain the call and the
 * status, so the number of checks does not depend on the number of requests.
 */
export function checkEveryAnswer(
  check: Check,
  { method, path, key, headers }: SentRequest,
  answer: Answer,
  requestIds: string[],
): void {
  const requestId = answer.headers.get('x-request-id');
  if (requestId !== null) requestIds.push(requestId);
  if (!/^\/api(\/|$|\?)/.test(path)) return;
  const call = callAt(method, path);
  const { status } = answer;
  const name = call ? `${call.name} ${status}` : `no documented call, ${status}`;
  const isError = status >= 400;
  check(`D5 ${name} has X-Request-Id`, answer, requestId, filledText);
  if (isError && method !== 'HEAD' && !path.startsWith('/api/openai/')) {
    check(`Part 2, ${name}: status is error`, answer, answer.at('status'), 'error');
    check(`Part 2, ${name}: message is a text`, answer, answer.at('message'), filledText);
    check(
      `D41 ${name}: code is a constant`,
      answer,
      answer.at('code'),
      matching(/^[A-Z]+(_[A-Z]+)*$/),
    );
    check(`D41 ${name}: requestId is X-Request-Id`, answer, answer.at('requestId'), requestId);
  }
  if (status === 401)
    check(
      `D5 ${name} has WWW-Authenticate`,
      answer,
      answer.headers.get('www-authenticate'),
      matching(/^Bearer/),
    );
  if (status === 405)
    check(
      `D5 ${name} has Allow`,
      answer,
      answer.headers.get('allow'),
      matching(/^[A-Z]+(, [A-Z]+)*$/),
    );
  if (status === 429)
    check(
      `D10 ${name} has Retry-After in seconds`,
      answer,
      answer.headers.get('retry-after'),
      matching(/^[1-9]\d*$/),
    );
  // A durable run is accepted with 202 (RFC 7240).
  if (!call || (status === 202 && headers['prefer'] === 'respond-async')) return;

  check(
    `Part 7, ${call.name} answers with the statuses of its table`,
    answer,
    status,
    oneOf(200, ...call.errors, ...protocolStatuses, ...conditionalStatuses),
  );
  check(
    `D1 ${call.name} answers success with 200`,
    answer,
    status,
    oneOf(200, 304, ...errorStatuses),
  );
  if (method !== 'HEAD' && status !== 304 && !isEventStream(answer))
    check(
      `D1 ${name} has a JSON body`,
      answer,
      answer.headers.get('content-type'),
      'application/json; charset=utf-8',
    );
  if (status === 200 && (call.area === 'sponsorship' || call.area === 'user-management'))
    check(`Part 4, ${name}: status is success`, answer, answer.at('status'), 'success');
  if (key !== null && status !== 401 && headers['authorization'] === `Bearer ${key}`)
    checkLimitHeaders(check, name, answer);
  const faults = faultsOfAnswer(
    { status, headers: answer.headers, body: answer.body },
    method,
    call.template.replaceAll(/:\w+/g, 'id'),
  );
  check(
    `OpenAPI, ${name} matches the OpenAPI document`,
    answer,
    isEventStream(answer) ? [] : faults,
    [],
  );
}

const errorStatuses = Array.from({ length: 200 }, (_, index) => 400 + index);
const isEventStream = (answer: Answer) =>
  answer.headers.get('content-type')?.startsWith('text/event-stream') === true;

/** Rule D10: every response to an authenticated request has these headers, including errors. */
export function checkLimitHeaders(check: Check, name: string, answer: Answer): void {
  const limit = answer.integerHeader('x-ratelimit-limit');
  const remaining = answer.integerHeader('x-ratelimit-remaining');
  const secondsToReset = answer.integerHeader('x-ratelimit-reset') - answer.arrivedAt / 1000;
  check(`D10 ${name} has X-RateLimit-Limit`, answer, limit, atLeast(1));
  check(
    `D10 ${name} has X-RateLimit-Remaining below the limit`,
    answer,
    Number.isSafeInteger(remaining) && remaining >= 0 && remaining < limit,
    true,
  );
  // The clocks of two machines may differ by some seconds.
  check(
    `D10 ${name} has X-RateLimit-Reset, a Unix timestamp within the window`,
    answer,
    secondsToReset > -10 && secondsToReset < 75,
    true,
  );
}

export function checkRequestIds(check: Check, requestIds: readonly string[]): void {
  const answer = new Answer({
    request: 'all requests',
    status: 0,
    headers: new Headers(),
    text: '',
  });
  check(
    'D5 each response has its own request id',
    answer,
    requestIds.length - new Set(requestIds).size,
    0,
  );
}
