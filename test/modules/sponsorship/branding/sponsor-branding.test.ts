import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/platform/database/database.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { databases } from '../../../support/databases.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { sessionWith, signIn } from '../../../support/sign-in.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const webp = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';
const base64Of = (bytes: Buffer) => bytes.toString('base64');
/** The image with another width or height. */
function pngWith(pixels: number, offset: number): string {
  const image = Buffer.from(png, 'base64');
  image.writeUInt32BE(pixels, offset);
  return base64Of(image);
}
const base64 = (text: string) => Buffer.from(text).toString('base64');

const fields = 'displayName sentence accentColor logoUrl';
const mutation = `mutation Set($input: SetSponsorBrandingInput!) {
  setSponsorBranding(input: $input) { branding { ${fields} } } }`;
const offerQuery = `query Offer($token: String!) {
  sponsoredOffer(token: $token) { sponsorName branding { ${fields} } } }`;
const empty = { displayName: null, sentence: null, accentColor: null, logoUrl: null };

describe.each(databases)('the branding of a partner on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await open();
    app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { database });
  });
  afterAll(() => app.close());

  const set = async ({ key }: Pick<TestPartner, 'key'>, input: object) => {
    const { data, errors } = await app.graph(key, mutation, { input });
    return { branding: Object(data?.['setSponsorBranding']).branding, errors };
  };
  const offerOf = async (token: unknown) =>
    Object((await sessionWith(app, '').graph(offerQuery, { token })).data).sponsoredOffer;
  const linkOf = async (partner: TestPartner) => partner.link((await partner.campaign()).id);
  const auditOf = (organizationId: string) =>
    database.prisma.auditEntry.findMany({
      where: { organizationId, action: 'set-sponsor-branding' },
      orderBy: { position: 'asc' },
    });

  it('A visitor of a link sees the name, sentence, colour and logo of its partner', async () => {
    const partner = await partnerIn(app);
    const { token } = await linkOf(partner);
    expect(await offerOf(token)).toEqual({ sponsorName: partner.slug, branding: empty });
    const { branding, errors } = await set(partner, {
      ...{ displayName: ' Müller & Söhne ', sentence: 'Ein Jahr für unsere Kunden.' },
      ...{ accentColor: '#FFCC00', logo: png },
    });
    expect(errors).toEqual([]);
    expect(branding).toEqual({
      ...{ displayName: 'Müller & Söhne', sentence: 'Ein Jahr für unsere Kunden.' },
      ...{
        accentColor: '#ffcc00',
        logoUrl: expect.stringMatching(/^\/sponsor-logos\/[0-9a-f]{64}$/),
      },
    });
    expect(await offerOf(token)).toEqual({ sponsorName: 'Müller & Söhne', branding });
  });

  it('A logo is served as an image and nothing else, and no longer after it was removed', async () => {
    const partner = await partnerIn(app);
    const { branding } = await set(partner, { logo: webp });
    const answer = await app.fetch(new Request(`http://atrium.test${branding.logoUrl}`));
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' },
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(webp);
    expect((await app.request('POST', branding.logoUrl)).status).toBe(405);
    await set(partner, { logo: null });
    expect((await app.request('GET', branding.logoUrl)).status).toBe(404);
    expect((await app.request('GET', '/sponsor-logos/unknown')).status).toBe(404);
  });

  it('Null deletes a value, what is omitted stays, and each change has an entry in the audit log', async () => {
    const partner = await partnerIn(app);
    const { branding } = await set(partner, {
      sentence: 'Hello',
      accentColor: '#000080',
      logo: png,
    });
    expect((await set(partner, { sentence: null })).branding).toEqual({
      ...branding,
      sentence: null,
    });
    await set(partner, { sentence: null, accentColor: '#000080' });
    const hash = branding.logoUrl.split('/').at(-1);
    expect((await auditOf(partner.id)).map(({ changes }) => changes)).toEqual([
      { sentence: 'Hello', accentColor: '#000080', logoHash: hash },
      { sentence: null },
    ]);
    expect((await set(partner, { accentColor: null, logo: null })).branding).toEqual(empty);
  });

  it.each([
    ['an SVG', { logo: base64('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>') }],
    ['a page', { logo: base64('<!doctype html><script>alert(1)</script>') }],
    ['a GIF', { logo: base64('GIF89a\x01\x00\x01\x00\x00\x00\x00;') }],
    [
      'an image of more than 200 kB',
      {
        logo: Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(204_800)]).toString('base64'),
      },
    ],
    ['an image that is 30,000 pixels wide', { logo: pngWith(30_000, 16) }],
    ['an image that is 30,000 pixels high', { logo: pngWith(30_000, 20) }],
    ['an image without a height', { logo: pngWith(0, 20) }],
    [
      'an image whose header is cut off',
      { logo: base64Of(Buffer.from(png, 'base64').subarray(0, 18)) },
    ],
    ['no Base64', { logo: 'not an image!' }],
    ['an empty logo', { logo: '' }],
    ['a colour by name', { accentColor: 'red' }],
    ['a colour with a style', { accentColor: '#fff;background:url(//evil.example)' }],
    ['a name with a site', { displayName: 'Win at https://evil.example' }],
    ['a long sentence', { sentence: 'x'.repeat(201) }],
  ])('%s is refused, and nothing changes', async (_, input) => {
    const partner = await partnerIn(app);
    const { errors } = await set(partner, { sentence: 'Kept', ...input });
    expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT' } });
    const { data } = await app.graph(partner.key, `{ sponsorBranding { ${fields} } }`);
    expect(data).toEqual({ sponsorBranding: empty });
    expect(await auditOf(partner.id)).toEqual([]);
  });

  it('The branding is changed by administrators of organizations with sponsorship only, each its own', async () => {
    const [partner, other] = [await partnerIn(app), await partnerIn(app)];
    await set(partner, { displayName: 'Mine' });
    await set(other, { displayName: 'Other' });
    const query = `{ sponsorBranding { ${fields} } }`;
    expect((await app.graph(partner.key, query)).data).toMatchObject({
      sponsorBranding: { displayName: 'Mine' },
    });
    const member = await partner.member(`plain@${partner.slug}.example`);
    const plain = await signIn(app, member.id);
    const change = { input: { displayName: 'Changed' } };
    expect((await plain.graph(query)).code).toBe('FORBIDDEN');
    expect((await plain.graph(mutation, change)).code).toBe('FORBIDDEN');
    expect((await sessionWith(app, '').graph(mutation, change)).code).toBe('UNAUTHENTICATED');
    await database.prisma.organization.update({
      where: { id: partner.id },
      data: { features: ['partnerSponsorship'] },
    });
    const { key } = await partner.organizationKey();
    expect((await set({ key }, { displayName: 'Changed' })).errors[0]).toMatchObject({
      extensions: { code: 'FEATURE_DISABLED' },
    });
    const administrator = await signIn(app, partner.administratorId);
    expect((await administrator.graph(query)).data).toMatchObject({
      sponsorBranding: { displayName: 'Mine' },
    });
  });
});
