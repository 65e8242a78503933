import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLinkClicks } from '../../../../src/modules/sponsorship/links/link-clicks.ts';
import type { Database } from '../../../../src/platform/database/database.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import {
  type CookieClient,
  cookieClient,
  sponsoredLinkCalls,
} from '../../../support/cookie-client.ts';
import { databases } from '../../../support/databases.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { buildConsole } from '../../../support/process.ts';
import { minutes } from '../../../support/redemptions.ts';
import { signIn } from '../../../support/sign-in.ts';

const start = Date.parse('2026-05-15T10:00:20.000Z');
const figuresQuery = `query Figures($linkId: ID!, $days: Int!) {
  link(linkId: $linkId) { figures(days: $days) { clicks redemptions conversion byDay { day clicks redemptions } } } }`;

describe.each(databases)('clicks and redemptions of links on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  let partner: TestPartner;
  let now = start;
  const clock = () => new Date(now);
  beforeAll(async () => {
    buildConsole();
    database = await open();
    app = await testApp(
      { ORGANIZATION_KEY_LIMIT: '100000', ANONYMOUS_LIMIT: '100000' },
      { database, clock },
    );
    partner = await partnerIn(app);
  });
  afterAll(() => app.close());

  async function newLink(campaign: Record<string, unknown> = {}) {
    const { id: campaignId } = await partner.campaign(campaign);
    const { id, token } = await partner.link(campaignId);
    return { campaignId, id, token: String(token) };
  }
  const openIn = (browser: CookieClient, { token }: { token: string }) =>
    sponsoredLinkCalls(browser, token).look();
  async function figuresOf({ id }: { id: string }, days = 3) {
    await app.contextParts.linkClicks.store();
    const { body } = await partner.sponsor('GET', `/links/${id}/figures?days=${days}`);
    return Object(body['figures']);
  }
  const clicksOf = async (link: { id: string }) => (await figuresOf(link)).clicks;

  it('A browser that opens a link again within 30 minutes counts once, and later it counts again', async () => {
    now = start;
    const link = await newLink();
    const browser = cookieClient(app);
    await openIn(browser, link);
    await openIn(browser, link);
    now += minutes(30);
    await openIn(browser, link);
    expect(await clicksOf(link)).toBe(1);
    now += minutes(1);
    await openIn(browser, link);
    await openIn(cookieClient(app), link);
    expect(await clicksOf(link)).toBe(3);
  });

  it('Two links in one browser count separately, and reservations count no further clicks', async () => {
    now = start;
    const [first, second] = [await newLink(), await newLink()];
    const browser = cookieClient(app);
    await openIn(browser, first);
    await openIn(browser, second);
    now += minutes(25);
    await sponsoredLinkCalls(browser, first.token).reserve();
    now += minutes(20);
    await openIn(browser, first);
    expect([await clicksOf(first), await clicksOf(second)]).toEqual([1, 1]);
  });

  it('The cookie that remembers the opening is the same in all browsers of a minute, and no address is stored', async () => {
    now = start;
    const link = await newLink();
    const browsers = [cookieClient(app), cookieClient(app)];
    for (const browser of browsers) await openIn(browser, link);
    const [first, second] = browsers.map(({ cookies }) => [...cookies]);
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
    expect(first?.[0]?.[1].line).toContain('HttpOnly');
    await app.contextParts.linkClicks.store();
    const [row] = await database.unscoped.sql<Record<string, unknown>>`
      select * from link_days where link_id = ${link.id}`;
    expect(Object.keys(row ?? {}).toSorted()).toEqual([
      ...['campaign_id', 'clicks', 'day', 'link_id', 'organization_id'],
    ]);
  });

  it('A program that only fetches the page does not count, nor does an unknown token', async () => {
    const link = await newLink();
    const page = await app.request('GET', `/auth?sponsored=${link.token}`);
    expect(page.status).toBe(200);
    const before = await database.prisma.linkDay.count();
    const browser = cookieClient(app);
    for (const token of ['x'.repeat(32), 'unknown'])
      expect(await sponsoredLinkCalls(browser, token).look()).toBe('NOT_FOUND');
    expect(browser.cookies.size).toBe(0);
    expect(await clicksOf(link)).toBe(0);
    expect(await database.prisma.linkDay.count()).toBe(before);
  });

  it('A paused link counts, because people opened it', async () => {
    const link = await newLink();
    await partner.sponsor('PATCH', `/links/${link.id}`, { isActive: false });
    expect(await openIn(cookieClient(app), link)).toBe('LINK_INACTIVE');
    expect(await clicksOf(link)).toBe(1);
  });

  it('Figures have clicks and completed redemptions of each day in UTC, and their conversion', async () => {
    const link = await newLink({ name: 'Spring' });
    now = Date.parse('2026-05-13T23:59:00.000Z');
    for (let person = 0; person < 3; person += 1) await openIn(cookieClient(app), link);
    await partner.redeem(link, { at: clock });
    now = Date.parse('2026-05-14T00:00:00.000Z');
    await openIn(cookieClient(app), link);
    now = Date.parse('2026-05-15T23:59:59.999Z');
    const figures = {
      ...{ clicks: 4, redemptions: 1, conversion: 0.25 },
      byDay: [
        { day: '2026-05-13T00:00:00.000Z', clicks: 3, redemptions: 1 },
        { day: '2026-05-14T00:00:00.000Z', clicks: 1, redemptions: 0 },
        { day: '2026-05-15T00:00:00.000Z', clicks: 0, redemptions: 0 },
      ],
    };
    expect(await figuresOf(link)).toEqual(figures);
    const { data } = await app.graph(partner.key, figuresQuery, { linkId: link.id, days: 3 });
    expect(data).toEqual({ link: { figures } });
    expect(await figuresOf(link, 2)).toMatchObject({ clicks: 1, redemptions: 0, conversion: 0 });
    expect(await figuresOf(link, 1)).toMatchObject({ clicks: 0, conversion: null });
  });

  it('The figures of a campaign are the sums of its links', async () => {
    now = start;
    const { campaignId, ...link } = await newLink();
    const other = await partner.link(campaignId);
    await openIn(cookieClient(app), link);
    await openIn(cookieClient(app), { token: String(other['token']) });
    await partner.redeem(other, { at: clock });
    await app.contextParts.linkClicks.store();
    const { body } = await partner.sponsor('GET', `/campaigns/${campaignId}/figures?days=1`);
    expect(body['figures']).toEqual({
      ...{ clicks: 2, redemptions: 1, conversion: 0.5 },
      byDay: [{ day: '2026-05-15T00:00:00.000Z', clicks: 2, redemptions: 1 }],
    });
  });

  it('The figures of another partner do not exist, and members without the right do not read them', async () => {
    const link = await newLink();
    const other = await partnerIn(app);
    for (const path of [`/links/${link.id}/figures`, `/campaigns/${link.campaignId}/figures`])
      expect((await other.sponsor('GET', path)).status).toBe(404);
    const member = await partner.member(`reader@${partner.slug}.example`);
    const session = await signIn(app, member.id);
    expect((await session.graph(figuresQuery, { linkId: link.id, days: 3 })).code).toBe(
      'FORBIDDEN',
    );
  });

  it.each([0, 367, -1, 1.5])('%s days are refused', async (days) => {
    const link = await newLink();
    const answer = await partner.sponsor('GET', `/links/${link.id}/figures?days=${days}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_INPUT' } });
  });

  it('One network adds at most 200 clicks an hour to a link', async () => {
    now = start;
    const link = await newLink();
    for (let browser = 0; browser < 205; browser += 1) await openIn(cookieClient(app), link);
    expect(await clicksOf(link)).toBe(200);
  });

  it('Clicks that several processes store at the same time are all counted', async () => {
    now = start;
    const links = await Promise.all(Array.from({ length: 5 }, () => newLink()));
    const { limits, log } = app.contextParts;
    const processes = Array.from({ length: 8 }, () =>
      createLinkClicks({ database, limits, clock, log }),
    );
    for (const [index, counter] of processes.entries()) {
      const ordered = index % 2 === 0 ? links : links.toReversed();
      for (const { token } of ordered) counter.count(token, `192.0.2.${index}`);
    }
    await Promise.all(processes.map((counter) => counter.close()));
    for (const link of links) expect(await clicksOf(link)).toBe(processes.length);
  });

  it('Closing waits for clicks that are being stored', async () => {
    const { limits, log } = app.contextParts;
    const counter = createLinkClicks({ database, limits, clock, log });
    counter.count((await newLink()).token, '192.0.2.1');
    let isStored = false;
    const storing = counter.store().then(() => {
      isStored = true;
    });
    await counter.close();
    expect(isStored).toBe(true);
    await storing;
  });

  it('The page answers while clicks cannot be stored, and they are stored later', async () => {
    now = start;
    const link = await newLink();
    await database.unscoped.sql`alter table link_days rename to link_days_away`;
    expect(await openIn(cookieClient(app), link)).toHaveProperty('campaignName');
    await app.contextParts.linkClicks.store();
    await database.unscoped.sql`alter table link_days_away rename to link_days`;
    expect(await clicksOf(link)).toBe(1);
  });

  it('Clicks of a link that was deleted before they were stored do not hold up others', async () => {
    now = start;
    const [deleted, kept] = [await newLink(), await newLink()];
    for (const link of [deleted, kept]) await openIn(cookieClient(app), link);
    await database.prisma.campaign.delete({ where: { id: deleted.campaignId } });
    expect(await clicksOf(kept)).toBe(1);
  });
});
