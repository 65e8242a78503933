import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listedTag } from '../../src/http/entity-tags.ts';
import { loadRoutes, type Route } from '../../src/rest/load-routes.ts';
import { areas } from '../../src/rest/routes.ts';
import { databases } from '../support/databases.ts';
import { samplesOf } from '../support/parity/all-samples.ts';
import { calls, executor } from '../support/parity/calls.ts';
import { type OrganizationFixture, type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import { normalize, type SampleRequest, sendCall } from '../support/parity/send.ts';
import { rowsIn } from '../support/parity/stored-rows.ts';
import { refusalBody } from '../support/refusal-body.ts';
import { rounds } from '../support/rounds.ts';
import { serveApp } from '../support/serve-app.ts';

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const tagged = loadRoutes(executor, areas).filter(({ resource }) => resource !== undefined);
const callsOf = (isRead: boolean) =>
  tagged
    .filter(({ method }) => (method === 'GET') === isRead)
    .flatMap((route) => calls.filter(({ name }) => name === nameOf(route)));
const reads = callsOf(true);
const writes = callsOf(false);

it('Campaigns, links, users and teams have entity tags, and each of their changes takes If-Match', () => {
  const names = tagged.map(nameOf);
  for (const [path, methods] of [
    ['/api/sponsorship/v1/campaigns/:campaignId', ['GET', 'PATCH']],
    ['/api/sponsorship/v1/links/:linkId', ['GET', 'PATCH']],
    ['/api/user-management/v1/users/:userId', ['GET', 'PATCH', 'DELETE']],
    ['/api/user-management/v1/teams/:teamId', ['GET', 'PATCH', 'DELETE']],
  ] as const)
    for (const method of methods) expect(names).toContain(`${method} ${path}`);
});

describe.each(databases)('$kind', ({ kind, open }) => {
  let app: ParityApp;
  beforeAll(async () => {
    app = await parityApp({ database: await open() });
  });
  afterAll(() => app.close());

  async function get(
    { sender, call, variables }: SampleRequest,
    headers: Record<string, string> = {},
    method = 'GET',
  ) {
    const { path } = call.requestWith(variables);
    const answer = await fetch(app.url + path, {
      method,
      // A compressed answer has a tag of its own.
      headers: { 'accept-encoding': 'identity', ...sender.headers, ...headers },
    });
    return {
      status: answer.status,
      text: await answer.text(),
      tag: answer.headers.get('etag') ?? '',
    };
  }

  describe.each(reads)('$name', (call) => {
    it.each(samplesOf(call))(
      '$title has a strong tag, which is answered with 304 until something changes',
      async ({ start }) => {
        const request: SampleRequest = { app, call, ...(await start(app)) };
        const { status, tag, text } = await get(request);
        expect([status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)]);
        for (const listed of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
          const again = await get(request, { 'if-none-match': listed });
          expect([listed, again.status, again.text, again.tag]).toEqual([listed, 304, '', tag]);
        }
        expect(await get(request, { 'if-none-match': '"other"' })).toEqual({ status, tag, text });
        expect(await get(request, { 'if-match': `"other", ${tag}` })).toEqual({
          status,
          tag,
          text,
        });
        for (const listed of ['"other"', `W/${tag}`])
          expect(await get(request, { 'if-match': listed, 'if-none-match': tag })).toMatchObject({
            status: 412,
            text: expect.stringContaining('PRECONDITION_FAILED'),
          });
        expect(await get(request, {}, 'HEAD')).toEqual({ status, tag, text: '' });
      },
    );
  });

  describe.each(writes)('$name', (call) => {
    it.each(samplesOf(call))(
      '$title changes only the version that If-Match names',
      async ({ start }) => {
        const request: SampleRequest = { app, call, ...(await start(app)) };
        const { tag } = await get(request);
        const before = await rowsIn(app.database);
        for (const stale of ['"other"', `W/${tag}`, `${tag.slice(0, -1)}x"`, 'nonsense']) {
          const refused = await sendCall(request, { 'if-match': stale });
          expect([stale, refused.status, refused.outcome]).toEqual([
            stale,
            412,
            {
              error: { code: 'PRECONDITION_FAILED', message: expect.any(String), errors: [] },
            },
          ]);
        }
        for (const listed of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
          const refused = await sendCall(request, { 'if-none-match': listed });
          expect([listed, refused.status]).toEqual([listed, 412]);
        }
        expect(await rowsIn(app.database)).toEqual(before);

        const plain: SampleRequest = { app, call, ...(await start(app)) };
        const changed = await sendCall(request, { 'if-match': `"other", ${tag}` });
        const expected = await sendCall(plain);
        expect([changed.status, normalize(changed.outcome, request.sender)]).toEqual([
          200,
          normalize(expected.outcome, plain.sender),
        ]);
      },
    );

    it.each(samplesOf(call))('$title is done with If-Match: *', async ({ start }) => {
      const request: SampleRequest = { app, call, ...(await start(app)) };
      const headers = { 'if-match': '*', 'if-none-match': '"other"' };
      expect((await sendCall(request, headers)).status).toBe(200);
    });
  });

  describe('a campaign', () => {
    const send = (
      { headers }: OrganizationFixture,
      path: string,
      { method = 'GET', body, ...more }: Record<string, unknown> & { body?: unknown } = {},
      url = app.url,
    ) =>
      fetch(`${url}/api/sponsorship/v1${path}`, {
        method: String(method),
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(more as Record<string, string>),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });

    it('A lost update is refused in the documented form', async () => {
      const owner = await app.fixtures.organization();
      const path = `/campaigns/${owner.campaignId}`;
      const tag = (await send(owner, path)).headers.get('etag') ?? '';
      const patch = (name: string) =>
        send(owner, path, { method: 'PATCH', body: { name }, 'if-match': tag });
      expect((await patch('First')).status).toBe(200);
      const second = await patch('Second');
      expect([second.status, await second.json()]).toEqual([
        412,
        refusalBody('PRECONDITION_FAILED', 'It has changed since; read it again'),
      ]);
      const now = await send(owner, path);
      expect(Object(await now.json()).campaign.name).toBe('First');
      expect(now.headers.get('etag')).not.toBe(tag);
    });

    it('A change that has nothing to do is refused as well if the tag is old', async () => {
      const owner = await app.fixtures.organization();
      const path = `/campaigns/${owner.campaignId}`;
      const patch = (tag: string) =>
        send(owner, path, { method: 'PATCH', body: {}, 'if-match': tag });
      expect((await patch('"old"')).status).toBe(412);
      expect((await patch((await send(owner, path)).headers.get('etag') ?? '')).status).toBe(200);
    });

    it('A repetition with the same Idempotency-Key gets the stored answer, although the tag is old by then', async () => {
      const owner = await app.fixtures.organization();
      const path = `/campaigns/${owner.campaignId}`;
      const tag = (await send(owner, path)).headers.get('etag') ?? '';
      const patch = () =>
        send(owner, path, {
          method: 'PATCH',
          body: { name: 'Once' },
          'if-match': tag,
          'idempotency-key': 'conditional',
        });
      const [first, again] = [await patch(), await patch()];
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await again.text()).toBe(await first.text());
    });

    it('A dry run checks the tag too', async () => {
      const owner = await app.fixtures.organization();
      const path = `/campaigns/${owner.campaignId}`;
      const tag = (await send(owner, path)).headers.get('etag') ?? '';
      const patch = (ifMatch: string) =>
        send(owner, path, {
          method: 'PATCH',
          body: { name: 'Dry' },
          'if-match': ifMatch,
          prefer: 'dry-run',
        });
      expect([(await patch('"old"')).status, (await patch(tag)).status]).toEqual([412, 200]);
      expect((await send(owner, path)).headers.get('etag')).toBe(tag);
    });

    it('An unknown campaign is 404 with any tag', async () => {
      const owner = await app.fixtures.organization();
      const answer = await send(owner, '/campaigns/unknown', {
        method: 'PATCH',
        body: { name: 'x' },
        'if-match': '"old"',
      });
      expect(answer.status).toBe(404);
    });

    it(`Concurrent writers in two processes lose no update (${rounds} rounds)`, async () => {
      const twin = await app.twin();
      const other = await serveApp(twin);
      for (let round = 0; round < rounds; round += 1) {
        const owner = await app.fixtures.organization();
        const path = `/campaigns/${owner.campaignId}`;
        await send(owner, path, { method: 'PATCH', body: { name: '0' } });
        const statuses: number[] = [];
        /** Adds one to the name, which only works if nobody else has in the meantime. */
        const increment = async (url: string): Promise<void> => {
          for (;;) {
            const read = await send(owner, path, {}, url);
            const tag = read.headers.get('etag') ?? '';
            const { name } = Object(await read.json()).campaign;
            const body = { name: String(Number(name) + 1) };
            const written = await send(
              owner,
              path,
              { method: 'PATCH', body, 'if-match': tag },
              url,
            );
            await written.body?.cancel();
            statuses.push(written.status);
            if (written.status === 200) return;
          }
        };
        /** Changes another field without a condition. */
        const switchOver = async (isActive: boolean) => {
          const written = await send(owner, path, { method: 'PATCH', body: { isActive } });
          await written.body?.cancel();
        };
        const writers = kind === 'postgres' ? 8 : 4;
        await Promise.all(
          Array.from({ length: writers }, async (_, writer) => {
            for (let step = 0; step < 4; step += 1) {
              await increment(writer % 2 === 0 ? app.url : other.url);
              if (writer === 0) await switchOver(step % 2 === 0);
            }
          }),
        );
        const { campaign } = Object(await (await send(owner, path)).json());
        expect(campaign.name).toBe(String(4 * writers));
        expect(statuses.filter((status) => status !== 200 && status !== 412)).toEqual([]);
      }
      other.close();
    });

    it(`Of many writers with the same tag exactly one succeeds (${rounds} rounds)`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const owner = await app.fixtures.organization();
        const path = `/campaigns/${owner.campaignId}`;
        const tag = (await send(owner, path)).headers.get('etag') ?? '';
        const answers = await Promise.all(
          Array.from({ length: 12 }, async (_, writer) => {
            const answer = await send(owner, path, {
              method: 'PATCH',
              body: { name: `Writer ${writer}` },
              'if-match': tag,
            });
            return { status: answer.status, body: Object(await answer.json()) };
          }),
        );
        const winners = answers.filter(({ status }) => status === 200);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([
          200,
          ...Array(11).fill(412),
        ]);
        const { campaign } = Object(await (await send(owner, path)).json());
        expect(campaign.name).toBe(winners[0]?.body.campaign.name);
      }
    });
  });
});

it('A list of tags with commas and quotes is read as the RFC says', () => {
  const strongly = (header: string) => listedTag(header, '"a"', { weakly: false });
  expect(strongly('"b", "a"')).toBe('"a"');
  expect(strongly('"a.gzip"')).toBe('"a.gzip"');
  expect(strongly('W/"a", "b,a"')).toBeUndefined();
  expect(listedTag('W/"a"', '"a"', { weakly: true })).toBe('"a"');
  expect(listedTag(null, '"a"', { weakly: true })).toBeUndefined();
});
