import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../../support/answers.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { partnerIn } from '../../../support/partner.ts';
import { textWithoutRequestId } from '../../../support/refusal-body.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
});
afterAll(() => app.close());

const isoMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const errorBody = { status: 'error', message: expect.any(String) };
const tokenPattern = /^[0-9A-Za-z]{32}$/;

describe('POST /campaigns/:campaignId/links', () => {
  it('Creating a link answers with exactly the documented fields, and its address ends with its token of 32 characters (D24)', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const { status, body } = await partner.sponsor('POST', `/campaigns/${campaign.id}/links`, {
      name: ' Newsletter ',
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        link: {
          id: expect.any(String),
          name: 'Newsletter',
          token: expect.stringMatching(tokenPattern),
          url: expect.any(String),
          isActive: true,
          hasPassword: false,
          createdAt: expect.stringMatching(isoMs),
          completedRedemptionsCount: 0,
        },
      },
    });
    const { link } = answerOf('createLink', { status, body });
    expect(link.url).toBe(`http://atrium.test/auth?sponsored=${link.token}`);
  });

  it('The address of a link begins with the configured origin', async () => {
    const otherApp = await testApp({ ORIGIN: 'https://atrium.example/' });
    const partner = await partnerIn(otherApp);
    const link = await partner.link((await partner.campaign()).id);
    expect(link['url']).toBe(`https://atrium.example/auth?sponsored=${link['token']}`);
    await otherApp.close();
  });

  it('A link without a name becomes "Link 1", "Link 2" and so on within its campaign, even without a request body (D24)', async () => {
    const partner = await partnerIn(app);
    const [firstCampaign, secondCampaign] = [await partner.campaign(), await partner.campaign()];
    expect((await partner.link(firstCampaign.id))['name']).toBe('Link 1');
    expect((await partner.link(firstCampaign.id, { name: 'Chosen' }))['name']).toBe('Chosen');
    expect((await partner.link(firstCampaign.id, {}))['name']).toBe('Link 2');
    expect(
      (await partner.sponsor('POST', `/campaigns/${firstCampaign.id}/links`)).body['link'],
    ).toMatchObject({ name: 'Link 3' });
    expect((await partner.link(secondCampaign.id))['name']).toBe('Link 1');
  });

  it('Fifty links that are created concurrently have fifty numbers and fifty tokens (D24)', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const links = await Promise.all(Array.from({ length: 50 }, () => partner.link(campaign.id)));
    expect(
      links.map(({ name }) => Number(String(name).replace('Link ', ''))).toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(new Set(links.map((link) => link['token'])).size).toBe(50);
  });

  it('A password appears only as hasPassword: it is not in the response, the database or the audit log', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const answer = await partner.sponsor('POST', `/campaigns/${campaign.id}/links`, {
      password: ' 4s!! ',
    });
    expect(answer).toMatchObject({ status: 200, body: { link: { hasPassword: true } } });
    expect(answer.text).not.toContain('4s!');
    const [{ row } = { row: '' }] = await app.database.prisma.$queryRaw<
      { row: string }[]
    >`select string_agg(l::text, '') as row from links l`;
    expect(row).not.toContain('4s!');
    const audit = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: partner.id },
      omit: { position: true, txId: true },
    });
    expect(JSON.stringify(audit)).not.toContain('4s!');
  });

  it('Creating a link in a campaign of another partner answers 404 and creates nothing (D3)', async () => {
    const [partner, rival] = [await partnerIn(app), await partnerIn(app)];
    const foreignCampaign = await rival.campaign();
    for (const body of [{}, { name: 'Ours' }, { password: 'open sesame' }]) {
      const foreignAnswer = await partner.sponsor(
        'POST',
        `/campaigns/${foreignCampaign.id}/links`,
        body,
      );
      expect(foreignAnswer).toMatchObject({ status: 404, body: errorBody });
      expect(textWithoutRequestId(foreignAnswer)).toBe(
        textWithoutRequestId(await partner.sponsor('POST', '/campaigns/unknown/links', body)),
      );
    }
    expect(
      (await rival.sponsor('GET', `/campaigns/${foreignCampaign.id}/links`)).body['total'],
    ).toBe(0);
    expect((await rival.link(foreignCampaign.id))['name']).toBe('Link 1');
  });
});

describe('GET /campaigns/:campaignId/links', () => {
  it('GET /campaigns/:campaignId/links answers with the page fields and the links, newest first, 100 per page', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const empty = await partner.sponsor('GET', `/campaigns/${campaign.id}/links`);
    expect(empty.body).toEqual({
      status: 'success',
      links: [],
      total: 0,
      page: 1,
      pageSize: 100,
      totalPages: 0,
    });
    const [first, second] = [
      await partner.link(campaign.id),
      await partner.link(campaign.id, { password: 'open sesame' }),
    ];
    const { body } = await partner.sponsor('GET', `/campaigns/${campaign.id}/links`);
    expect(body).toEqual({
      status: 'success',
      links: [second, first],
      total: 2,
      page: 1,
      pageSize: 100,
      totalPages: 1,
    });
  });

  it('Pages at the start, in the middle and at the end of a long list have the same links as the list in full (D7)', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    await app.database.prisma.$executeRaw`
      insert into links (id, campaign_id, organization_id, name, token, created_at)
      select ${campaign.id} || n, ${campaign.id}, ${partner.id}, 'Many', left(md5(${campaign.id} || n), 32), timestamptz '2020-01-01' + n % 70 * interval '1 minute'
      from generate_series(1, 2503) n`;
    const all = await app.database.prisma.$queryRaw<{ id: string }[]>`
      select id from links where campaign_id = ${campaign.id} order by created_at desc, id desc`;
    for (const page of [1, 2, 10, 11, 12, 13, 14, 25, 26]) {
      const answer = await partner.sponsor('GET', `/campaigns/${campaign.id}/links?page=${page}`);
      const { links, total, totalPages } = answerOf('listLinks', answer);
      expect({ total, totalPages }).toEqual({ total: 2503, totalPages: 26 });
      expect(links.map(({ id }) => id)).toEqual(
        all.slice((page - 1) * 100, page * 100).map(({ id }) => id),
      );
    }
    for (const page of [27, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await partner.sponsor(
        'GET',
        `/campaigns/${campaign.id}/links?page=${page}`,
      );
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 'success', links: [], total: 2503, page, pageSize: 100, totalPages: 26 },
      });
    }
  });

  it('A campaign of another partner answers 404 (D3)', async () => {
    const [partner, rival] = [await partnerIn(app), await partnerIn(app)];
    const foreignCampaign = await rival.campaign();
    await rival.link(foreignCampaign.id);
    const foreignAnswer = await partner.sponsor('GET', `/campaigns/${foreignCampaign.id}/links`);
    expect(foreignAnswer).toMatchObject({ status: 404, body: errorBody });
    expect(textWithoutRequestId(foreignAnswer)).toBe(
      textWithoutRequestId(await partner.sponsor('GET', '/campaigns/unknown/links')),
    );
  });
});

describe('PATCH /links/:linkId', () => {
  it('PATCH /links/:linkId changes only the given fields, and an empty object changes nothing (D6)', async () => {
    const partner = await partnerIn(app);
    const link = await partner.link((await partner.campaign()).id);
    const patch = async (body: unknown) =>
      (await partner.sponsor('PATCH', `/links/${link.id}`, body)).body;
    expect(await patch({})).toEqual({ status: 'success', link });
    expect(await patch({ isActive: false })).toEqual({
      status: 'success',
      link: { ...link, isActive: false },
    });
    expect(await patch({ name: 'Renamed', token: 'x', hasPassword: true })).toEqual({
      status: 'success',
      link: { ...link, isActive: false, name: 'Renamed' },
    });
    expect(await patch({ isActive: true })).toEqual({
      status: 'success',
      link: { ...link, name: 'Renamed' },
    });
  });

  it('Changing a link of another partner answers 404 and changes nothing (D3)', async () => {
    const [partner, rival] = [await partnerIn(app), await partnerIn(app)];
    const campaign = await rival.campaign();
    const foreignLink = await rival.link(campaign.id);
    for (const [path, body] of [
      ['', { isActive: false }],
      ['', {}],
      ['/password', { password: 'open sesame' }],
      ['/password', { password: null }],
    ] as const) {
      const foreignAnswer = await partner.sponsor('PATCH', `/links/${foreignLink.id}${path}`, body);
      expect(foreignAnswer).toMatchObject({ status: 404, body: errorBody });
      expect(textWithoutRequestId(foreignAnswer)).toBe(
        textWithoutRequestId(await partner.sponsor('PATCH', `/links/unknown${path}`, body)),
      );
    }
    expect((await rival.sponsor('GET', `/campaigns/${campaign.id}/links`)).body['links']).toEqual([
      foreignLink,
    ]);
  });
});

describe('PATCH /links/:linkId/password', () => {
  it('The password of a link can be set, and null removes it', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const link = await partner.link(campaign.id);
    const setPassword = (password: unknown) =>
      partner.sponsor('PATCH', `/links/${link.id}/password`, { password });
    const hasPassword = async () => {
      const answer = await partner.sponsor('GET', `/campaigns/${campaign.id}/links`);
      return answerOf('listLinks', answer).links[0]?.hasPassword;
    };
    expect((await setPassword('four')).body).toEqual({ status: 'success', success: true });
    expect(await hasPassword()).toBe(true);
    expect((await setPassword(null)).body).toEqual({ status: 'success', success: true });
    expect(await hasPassword()).toBe(false);
    expect((await setPassword('😀😀😀😀')).status).toBe(200);
    expect(await hasPassword()).toBe(true);
  });

  it('A request without the field password answers 400 and changes nothing', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const link = await partner.link(campaign.id, { password: 'open sesame' });
    for (const body of [{}, undefined, { Password: 'open sesame' }]) {
      const answer = await partner.sponsor('PATCH', `/links/${link.id}/password`, body);
      expect(answer).toMatchObject({
        status: 400,
        body: { status: 'error', message: 'password is required' },
      });
    }
    expect((await partner.sponsor('GET', `/campaigns/${campaign.id}/links`)).body['links']).toEqual(
      [link],
    );
  });
});
