import {
  boolean,
  filledText,
  integer,
  listOf,
  matching,
  oneOf,
  orNull,
  text,
  time,
} from '../matchers.ts';
import { checkShape } from '../report.ts';
import type { Suite } from '../suite.ts';

const path = '/api/events/v1/endpoints';
// A name that never resolves (RFC 2606), so that nothing is sent to anybody.
const url = 'https://hooks.invalid/atrium';

const endpoint = {
  id: filledText,
  url: matching(/^https:/),
  description: text,
  types: listOf(filledText),
  encoding: oneOf('STANDARD', 'CLOUD_EVENTS'),
  state: oneOf('ACTIVE', 'FAILING', 'DISABLED'),
  disabledReason: orNull(oneOf('REQUESTED', 'GONE', 'UNREACHABLE')),
  isActive: boolean,
  isReplaying: boolean,
  previousSecretUntil: orNull(time),
  createdAt: time,
  updatedAt: time,
};
const delivery = {
  id: filledText,
  endpointId: filledText,
  eventId: filledText,
  eventType: orNull(filledText),
  state: oneOf('PENDING', 'DELIVERED', 'FAILED'),
  tries: integer,
  nextTryAt: orNull(time),
  lastStatus: orNull(integer),
  lastError: orNull(filledText),
  lastAnswer: orNull(text),
  body: filledText,
  lastTriedAt: orNull(time),
  createdAt: time,
  endedAt: orNull(time),
};
const secret = matching(/^whsec_[A-Za-z0-9+/]{32,43}=*$/);

/** Endpoints and deliveries: the guide of webhooks. */
export async function checkWebhooks(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('org-key', 'webhooks');
  if (!api) return;
  const types = ['budget.exhausted', 'key.expiring'];
  const created = await api.post(path, { url, description: suite.prefix, types });
  check('Webhooks: POST answers 200', created, created.status, 200);
  checkShape(check, 'Webhooks, an endpoint', created, created.at('endpoint'), endpoint);
  check('Webhooks: the answer has the secret', created, created.at('secret'), secret);
  check(
    'Webhooks: types are those of the request',
    created,
    created.listAt('endpoint.types'),
    types,
  );
  const id = String(created.at('endpoint.id'));
  suite.addCleanup(() => api.delete(`${path}/${id}`));
  const one = `${path}/${id}`;

  const list = await api.get(`${path}?pageSize=100`);
  check('Webhooks: GET lists endpoints', list, list.text.includes(id), true);
  check('Webhooks: a list has a total', list, list.at('total'), integer);
  const read = await api.get(one);
  check('Webhooks: GET reads one', read, read.at('endpoint.description'), suite.prefix);
  check('Webhooks: the secret is not read again', read, read.text.includes('whsec_'), false);

  const rotated = await api.post(`${one}/rotate`, { overlapHours: 1 });
  check('Webhooks: rotate answers a new secret', rotated, rotated.at('secret'), secret);
  check(
    'Webhooks: it is another one',
    rotated,
    rotated.at('secret') === created.at('secret'),
    false,
  );
  check('Webhooks: both sign meanwhile', rotated, rotated.at('endpoint.previousSecretUntil'), time);
  const tested = await api.post(`${one}/test`);
  check('Webhooks: test answers 200', tested, tested.status, 200);
  checkShape(check, 'Webhooks, a delivery', tested, tested.at('delivery'), delivery);
  const deliveries = await api.get(`${one}/deliveries`);
  check('Webhooks: deliveries has the test', deliveries, deliveries.at('total'), 1);
  const retried = await api.post(`/api/events/v1/deliveries/${tested.at('delivery.id')}/retry`);
  check('Webhooks: retry answers 200', retried, retried.status, 200);
  const replayed = await api.post(`${one}/replay`, { from: '2026-01-01T00:00:00Z' });
  check('Webhooks: replay answers 200', replayed, replayed.status, 200);

  const disabled = await api.patch(one, { isActive: false });
  check('Webhooks: isActive false disables', disabled, disabled.at('endpoint.state'), 'DISABLED');
  const refusedTest = await api.post(`${one}/test`);
  check('Webhooks: a disabled one is not tested', refusedTest, refusedTest.status, 409);
  for (const [description, body] of [
    ['http', { url: 'http://example.com/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['a user name', { url: 'https://user@example.com/' }],
    ['an unknown type', { url, types: ['team.painted'] }],
  ] as const) {
    const refused = await api.post(path, body);
    check(`Webhooks: ${description} is 400`, refused, refused.status, 400);
  }
  const other = suite.api('other-org-key', 'webhooks of another organization');
  const foreign = await other?.get(one);
  if (foreign) check('Webhooks: another organization gets 404', foreign, foreign.status, 404);
  const removed = await api.delete(one);
  check('Webhooks: DELETE answers the id', removed, removed.at('endpointId'), id);
  const gone = await api.get(one);
  check('Webhooks: a deleted one is 404', gone, gone.status, 404);
}
