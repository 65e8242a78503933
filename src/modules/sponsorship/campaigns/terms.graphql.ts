import { distinct, int32Max, integer, text } from '../../../graph/schema/input-rules.ts';
import { isStorable } from '../../../platform/plain-text.ts';
import { emailExpectation, readEmailAddress } from '../../users/email-address.ts';
import { parseHostName } from '../../users/host-name.ts';

// Every response with the campaign contains both complete lists.
const listMax = 10_000;

export const campaignNameRule = text({ min: 1, max: 200 });
export const durationRule = integer({ min: 1, max: 6 });
export const maxRedemptionsRule = integer({ min: 1, max: int32Max });
export const includedSeatsRule = integer({ min: 1, max: 1000 });
export const emailDomainsRule = distinct(
  {
    title: 'EmailDomainList',
    noun: 'domain names such as example.com',
    item: 'a domain name such as example.com',
    max: listMax,
    items: { type: 'string', maxLength: 253 },
  },
  (item) => (isStorable(item) && item.length <= 1_000 ? parseHostName(item.trim()) : undefined),
);
export const emailAddressesRule = distinct(
  {
    title: 'EmailAddressList',
    noun: 'e-mail addresses',
    item: emailExpectation,
    max: listMax,
    items: { type: 'string', format: 'email', maxLength: 254 },
  },
  readEmailAddress,
);
