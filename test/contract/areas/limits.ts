import type { Answer } from '../answer.ts';
import { checkLimitHeaders } from '../every-answer.ts';
import { between } from '../matchers.ts';
import type { Suite } from '../suite.ts';

const users = '/api/user-management/v1/users';

/** Rate limits: part 8, decisions D2, D10. */
export async function checkLimits(suite: Suite): Promise<void> {
  await checkCounting(suite);
  await checkExceeding(suite);
  const { check } = suite;
  for (const [flag, path, limit] of [
    ['plain-org-key', users, 100],
    ['plain-user-key', '/api/assistants/v1', 600],
  ] as const) {
    const api = suite.disposable ? suite.api(flag, 'the default limits') : undefined;
    if (!api) continue;
    const answer = await api.get(path);
    check(
      `D10 the default limit is ${limit} per minute`,
      answer,
      answer.integerHeader('x-ratelimit-limit'),
      limit,
    );
  }
}

async function checkCounting(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('org-key', 'counting of requests');
  if (!api) return;
  const remaining = (answer: Answer) => answer.integerHeader('x-ratelimit-remaining');
  const reset = (answer: Answer) => answer.integerHeader('x-ratelimit-reset');
  const first = await api.get(users);
  for (const [description, send] of [
    ['User Management', () => api.get(users)],
    ['Partner Sponsorship', () => api.get('/api/sponsorship/v1/campaigns')],
    ['GraphQL', () => api.graph('{ __typename }')],
    ['a request that is 404', () => api.get(`${users}/unknown`)],
    ['a request that is 400', () => api.get(`${users}?page=0`)],
    ['a request that is 405', () => api.put(users, {})],
    ['a request to an unknown path', () => api.get('/api/unknown')],
  ] as const) {
    const before = await api.get(users);
    const answer = await send();
    // The window may end between two requests.
    if (reset(answer) !== reset(before) && reset(answer) - reset(before) > 1) continue;
    checkLimitHeaders(check, `${description} with an organization key`, answer);
    check(
      `D10 ${description} counts as one request of the key`,
      answer,
      remaining(before) - remaining(answer),
      1,
    );
    check(
      `D10 ${description} has the limit of the key`,
      answer,
      answer.headers.get('x-ratelimit-limit'),
      first.headers.get('x-ratelimit-limit'),
    );
  }
  const user = suite.api('user-key', 'counting of requests with a user key');
  if (!user) return;
  const before = await user.get('/api/assistants/v1');
  const graph = await user.graph('{ __typename }');
  checkLimitHeaders(check, 'GraphQL with a user key', graph);
  if (reset(before) === reset(graph))
    check(
      'D10 GraphQL counts as one request of a user key',
      graph,
      remaining(before) - remaining(graph),
      1,
    );
}

async function checkExceeding(suite: Suite): Promise<void> {
  const { check, send, credentials } = suite;
  const key = credentials['limited-key'];
  if (key === undefined)
    return void suite.report.skipped.set('exceeding the limit (429)', '--limited-key is not given');
  const get = (path = users) => send('GET', path, { key, returns429: true });
  const first = await get();
  const limit = first.integerHeader('x-ratelimit-limit');
  if (!(limit <= 20))
    return void suite.report.skipped.set(
      'exceeding the limit (429)',
      `the limit of --limited-key is ${limit}, above 20`,
    );
  const freeRequests = first.integerHeader('x-ratelimit-remaining');
  const answers = await Promise.all(Array.from({ length: freeRequests + 10 }, () => get()));
  const window = first.headers.get('x-ratelimit-reset');
  if (
    answers.every(
      (answer) => Math.abs(answer.integerHeader('x-ratelimit-reset') - Number(window)) <= 1,
    )
  ) {
    const accepted = answers.filter((answer) => answer.status !== 429);
    check('D10 counting is exact under concurrency', first, accepted.length, freeRequests);
    const remainingCounts = accepted
      .map((answer) => answer.integerHeader('x-ratelimit-remaining'))
      .toSorted((a, b) => a - b);
    check(
      'D10 concurrent requests each get the number of requests that remain after them',
      first,
      remainingCounts,
      Array.from({ length: freeRequests }, (_, index) => index),
    );
  }
  const exceeded = await get();
  check('Part 8 a request over the limit gets 429', exceeded, exceeded.status, 429);
  check(
    'D10 429 has X-RateLimit-Remaining 0',
    exceeded,
    exceeded.headers.get('x-ratelimit-remaining'),
    '0',
  );
  check('D10 429 has the limit', exceeded, exceeded.integerHeader('x-ratelimit-limit'), limit);
  check(
    'D10 Retry-After is at most the window of 60 seconds',
    exceeded,
    exceeded.integerHeader('retry-after'),
    between(1, 60),
  );
  const until = exceeded.integerHeader('x-ratelimit-reset') - exceeded.arrivedAt / 1000;
  check(
    'D10 Retry-After matches X-RateLimit-Reset',
    exceeded,
    Math.abs(until - exceeded.integerHeader('retry-after')) <= 15,
    true,
  );
  check(
    'D10 the window stays: X-RateLimit-Reset does not move',
    exceeded,
    Math.abs(
      exceeded.integerHeader('x-ratelimit-reset') - first.integerHeader('x-ratelimit-reset'),
    ) <= 60,
    true,
  );
  for (const [description, path] of [
    ['400', `${users}?page=0`],
    ['404', `${users}/unknown`],
    ['Partner Sponsorship', '/api/sponsorship/v1/campaigns'],
  ] as const) {
    const refused = await get(path);
    check(`D2 429 comes before ${description}`, refused, refused.status, 429);
  }
  const graph = await send('POST', '/graphql', {
    key,
    json: { query: '{ __typename }' },
    returns429: true,
  });
  check('D10 GraphQL is 429 with the same key', graph, graph.status, 429);
  const otherKeyApi = suite.api('org-key', 'separate counting of keys');
  if (!otherKeyApi) return;
  const answer = await otherKeyApi.get(users);
  check('D10 another key of the same organization is not limited', answer, answer.status, 200);
}
