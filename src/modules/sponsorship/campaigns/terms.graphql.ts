import { builder } from '../../../graph/schema/builder.ts';
import { integerScalar, listScalar, textScalar } from '../../../graph/schema/scalars.ts';
import { isStorable } from '../../../platform/plain-text.ts';
import { emailExpectation, readEmailAddress } from '../../users/email-address.ts';
import { parseHostName } from '../../users/host-name.ts';

declare module '../../../graph/schema/builder.ts' {
  interface Scalars {
    CampaignName: { Input: string; Output: string };
    DurationMonths: { Input: number; Output: number };
    MaxRedemptions: { Input: number; Output: number };
    IncludedSeats: { Input: number; Output: number };
    EmailDomainList: { Input: string[]; Output: string[] };
    EmailAddressList: { Input: string[]; Output: string[] };
  }
}

// Every response with the campaign contains both complete lists.
const listMax = 10_000;

builder.addScalarType(
  'CampaignName',
  textScalar('CampaignName', { min: 1, max: 200, description: 'The display name of a campaign.' }),
);
builder.addScalarType(
  'DurationMonths',
  integerScalar('DurationMonths', {
    min: 1,
    max: 6,
    description: 'How many calendar months a sponsorship lasts.',
  }),
);
builder.addScalarType(
  'MaxRedemptions',
  integerScalar('MaxRedemptions', {
    min: 1,
    max: 2 ** 31 - 1,
    description: 'How often the campaign can be redeemed; null means no limit.',
  }),
);
builder.addScalarType(
  'IncludedSeats',
  integerScalar('IncludedSeats', {
    min: 1,
    max: 1000,
    description: 'How many members each sponsored organization can have; null means no limit.',
  }),
);
builder.addScalarType(
  'EmailDomainList',
  listScalar(
    'EmailDomainList',
    {
      noun: 'domain names such as example.com',
      item: 'a domain name such as example.com',
      max: listMax,
      description:
        'Domains whose addresses are allowed. Each matches exactly; subdomains do not match. Stored in lower case and ASCII, without duplicates.',
      items: { type: 'string', maxLength: 253 },
    },
    (item) => (isStorable(item) && item.length <= 1_000 ? parseHostName(item.trim()) : undefined),
  ),
);
builder.addScalarType(
  'EmailAddressList',
  listScalar(
    'EmailAddressList',
    {
      noun: 'e-mail addresses',
      item: emailExpectation,
      max: listMax,
      description:
        'Addresses that are allowed. Stored in lower case, with domains in ASCII, without duplicates.',
      items: { type: 'string', format: 'email', maxLength: 254 },
    },
    readEmailAddress,
  ),
);
