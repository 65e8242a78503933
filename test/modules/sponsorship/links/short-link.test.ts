import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/platform/database/database.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { databases } from '../../../support/databases.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { buildConsole } from '../../../support/process.ts';
import { serveApp } from '../../../support/serve-app.ts';

const unknownPage = '/auth?sponsored=unknown';

describe.each(databases)('short addresses of links on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  let partner: TestPartner;
  beforeAll(async () => {
    buildConsole();
    database = await open();
    app = await testApp(
      { ORIGIN: 'https://atrium.example', TRUSTED_PROXIES: '127.0.0.1' },
      { database },
    );
    partner = await partnerIn(app);
  });
  afterAll(() => app.close());

  async function newLink() {
    const campaign = await partner.campaign();
    const { id, token } = await partner.link(campaign.id);
    const { data } = await app.graph(
      partner.key,
      'query Link($linkId: ID!) { link(linkId: $linkId) { shortUrl } }',
      { linkId: id },
    );
    const shortUrl: string = Object(data?.['link']).shortUrl;
    return { id, token, campaignId: campaign.id, shortUrl, path: new URL(shortUrl).pathname };
  }
  const get = (path: string) => app.request('GET', path);

  it('A link has a short address of ten letters and digits that do not look alike', async () => {
    const links = await Promise.all(Array.from({ length: 20 }, newLink));
    for (const { shortUrl } of links)
      expect(shortUrl).toMatch(/^https:\/\/atrium\.example\/s\/[2-9a-hjkmnp-z]{10}$/);
    expect(new Set(links.map(({ shortUrl }) => shortUrl)).size).toBe(20);
  });

  it('The short address leads to the page of the link, and neither caches nor referrers learn it', async () => {
    const { path, token } = await newLink();
    for (const variant of [path, path.toUpperCase().replace('/S/', '/s/'), `${path}/`]) {
      const { status, headers, text } = await get(variant);
      expect({ status, text }).toEqual({ status: 302, text: '' });
      expect(Object.fromEntries(headers)).toMatchObject({
        location: `/auth?sponsored=${token}`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
    }
    expect((await app.request('HEAD', path)).headers.get('location')).toBe(
      `/auth?sponsored=${token}`,
    );
    const refused = await app.request('POST', path);
    expect({ status: refused.status, allow: refused.headers.get('allow') }).toEqual({
      ...{ status: 405, allow: 'GET, HEAD' },
    });
  });

  it('The short address of a paused link leads to its page, which says that it is paused', async () => {
    const { id, path, token } = await newLink();
    await partner.sponsor('PATCH', `/links/${id}`, { isActive: false });
    expect((await get(path)).headers.get('location')).toBe(`/auth?sponsored=${token}`);
  });

  it('An unknown code, a deleted link and any other text lead to the page of an unknown link', async () => {
    const deleted = await newLink();
    await database.prisma.campaign.delete({ where: { id: deleted.campaignId } });
    const { token } = await newLink();
    for (const path of [
      ...[deleted.path, '/s/2222222222', '/s/', '/s', `/s/${token}`, '/s/%00', '/s/%', '/s/a/b'],
      `/s/${'x'.repeat(5_000)}`,
    ]) {
      const { status, headers } = await get(path);
      expect({ path, status, location: headers.get('location') }).toEqual({
        ...{ path, status: 302, location: unknownPage },
      });
    }
  });

  it('A network that opens 100 unknown codes in an hour is refused, browsers with a page, and others are not', async () => {
    const { path, token } = await newLink();
    const served = await serveApp(app);
    const openFrom = (address: string, opened: string) =>
      fetch(`${served.url}${opened}`, {
        ...{ redirect: 'manual', headers: { 'x-forwarded-for': address } },
      });
    const first = '198.51.100.1';
    for (let guess = 0; guess < 99; guess += 1) await openFrom(first, '/s/unknown');
    const offer = `/auth?sponsored=${token}`;
    expect((await openFrom(first, path)).headers.get('location')).toBe(offer);
    expect((await openFrom(first, '/s/unknown')).status).toBe(302);
    const refused = await openFrom(first, path);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const [language, lang] of [
      ['de-AT,de', 'de'],
      ['fr', 'en'],
    ]) {
      const page = await fetch(`${served.url}${path}`, {
        headers: {
          ...{ 'x-forwarded-for': first, accept: 'text/html,*/*;q=0.8' },
          'accept-language': language ?? '',
        },
      });
      expect(page.status).toBe(429);
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'retry-after': expect.stringMatching(/^[1-9]\d*$/),
        'cache-control': 'no-store',
      });
      expect(await page.text()).toContain(`lang="${lang}"`);
    }
    expect((await openFrom('198.51.100.2', path)).headers.get('location')).toBe(offer);
    served.close();
  });

  it('The address of a link in the REST API is the long one, as documented', async () => {
    const { id, token } = await newLink();
    const { body } = await partner.sponsor('GET', `/links/${id}`);
    expect(Object(body['link'])).toMatchObject({
      url: `https://atrium.example/auth?sponsored=${token}`,
    });
    expect(Object(body['link'])).not.toHaveProperty('shortUrl');
  });

  it('A link that is stored without a code gets one from the database, as a previous release stores it', async () => {
    const { campaignId } = await newLink();
    const [row] = await database.unscoped.sql<{ code: string }>`
      insert into links (id, campaign_id, organization_id, name, token)
      values (gen_random_uuid()::text, ${campaignId}, ${partner.id}, 'Before', ${'b'.repeat(32)})
      returning short_code as code`;
    expect((await get(`/s/${row?.code}`)).headers.get('location')).toBe(
      `/auth?sponsored=${'b'.repeat(32)}`,
    );
  });
});
