import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { inputRule, text, verbatim } from '../../../graph/schema/input-rules.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { writerOf } from '../../audit/record-change.ts';
import { sponsorship } from '../../organizations/features.ts';
import { SponsoredOffer } from '../redeeming/sponsored-offer.graphql.ts';
import { toColorText } from './accent-color.ts';
import { logoBytesMax, logoPixelsMax } from './logo.ts';
import { readSponsorBranding } from './read-sponsor-branding.ts';
import { logosPath } from './serve-logo.ts';
import { setSponsorBranding } from './set-sponsor-branding.ts';
import type { SponsorBranding as SponsorBrandingRow } from './sponsor-branding.ts';

const SponsorBranding = builder.objectRef<SponsorBrandingRow>('SponsorBranding').implement({
  description: 'What a partner shows on the pages of its links.',
  fields: (t) => ({
    displayName: t.exposeString('displayName', {
      nullable: true,
      description: 'The name in place of the organization’s; null shows that of the organization.',
    }),
    sentence: t.exposeString('sentence', {
      nullable: true,
      description: 'A sentence below the name, at most 200 characters; null shows none.',
    }),
    accentColor: t.string({
      nullable: true,
      description: 'A colour such as "#1a2b3c"; null shows that of Atrium.',
      resolve: ({ accentColor }) => (accentColor === null ? null : toColorText(accentColor)),
    }),
    logoUrl: t.string({
      nullable: true,
      description: 'The URL path of the logo, which changes with it; null without a logo.',
      resolve: ({ logoHash }) => logoHash && `${logosPath}/${logoHash}`,
    }),
  }),
});

builder.objectField(SponsoredOffer, 'branding', (t) =>
  t.field({
    type: SponsorBranding,
    description: 'What the sponsor shows on the page.',
    resolve: ({ branding }) => branding,
  }),
);

builder.queryField('sponsorBranding', (t) =>
  t.field({
    type: SponsorBranding,
    description: 'What the organization shows on the pages of its links.',
    authScopes: { manages: sponsorship },
    resolve: (_, _args, { viewer, database }) =>
      readSponsorBranding({ organizationId: memberOf(viewer).organizationId }, { database }),
  }),
);

const colorPattern = /^#[0-9a-f]{6}$/i;
const colorRule = inputRule(
  {
    expectation: 'a colour such as "#1a2b3c"',
    jsonSchema: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
    directive: null,
  },
  (value) =>
    typeof value === 'string' && colorPattern.test(value) ? value.toLowerCase() : undefined,
);
const base64Max = Math.ceil(logoBytesMax / 3) * 4;

mutation('setSponsorBranding', {
  description:
    'Changes what the pages of the organization’s links show. Null deletes a value; what is omitted stays.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    displayName: t.field({
      type: 'String',
      rule: text({ min: 1, max: 80, isName: true }),
      required: false,
      description: 'The name in place of the organization’s.',
    }),
    sentence: t.field({
      type: 'String',
      rule: text({ min: 1, max: 200 }),
      required: false,
      description: 'A sentence below the name.',
    }),
    accentColor: t.field({
      type: 'String',
      rule: colorRule,
      required: false,
      description: 'A colour such as "#1a2b3c". Every colour is readable.',
    }),
    logo: t.field({
      type: 'String',
      rule: verbatim({ max: base64Max }),
      required: false,
      description: `A PNG, JPEG or WebP image of at most ${logoBytesMax} bytes and ${logoPixelsMax} pixels in each direction, in Base64.`,
    }),
  }),
  resolve: async (input, context) => {
    await setSponsorBranding(input, writerOf(context));
    return {};
  },
  payload: (t) => ({
    branding: t.field({
      type: SponsorBranding,
      description: 'The branding after the change.',
      resolve: (_, _args, { viewer, database }) =>
        readSponsorBranding({ organizationId: memberOf(viewer).organizationId }, { database }),
    }),
  }),
});
