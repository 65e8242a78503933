import { describe, expect, it } from 'vitest';
import { isEmailAllowed } from '../../../../src/modules/sponsorship/campaigns/allow-list.ts';

const lists = (allowedEmailDomains: string[], allowedEmails: string[] = []) => ({
  allowedEmailDomains,
  allowedEmails,
});

describe('an allow-list', () => {
  it('An empty allow-list allows every address', () => {
    expect(isEmailAllowed(lists([]), 'anybody@anywhere.example')).toBe(true);
  });

  it.each([
    ['the exact domain', lists(['partner.example']), 'eve@partner.example'],
    ['a domain, regardless of case', lists(['partner.example']), 'Eve@Partner.EXAMPLE'],
    ['a domain with non-ASCII letters', lists(['xn--bcher-kva.example']), 'eve@BÜCHER.example'],
    ['an address, regardless of case', lists([], ['eve@partner.example']), ' EVE@partner.example'],
    [
      'an address in the other list',
      lists(['other.example'], ['eve@partner.example']),
      'eve@partner.example',
    ],
    [
      'a domain in the other list',
      lists(['partner.example'], ['adam@other.example']),
      'eve@partner.example',
    ],
  ])('An allow-list matches %s', (_, list, email) => {
    expect(isEmailAllowed(list, email)).toBe(true);
  });

  it.each([
    ['a subdomain', lists(['partner.example']), 'eve@mail.partner.example'],
    ['the parent domain', lists(['mail.partner.example']), 'eve@partner.example'],
    ['a domain with the same ending', lists(['partner.example']), 'eve@notpartner.example'],
    [
      'a domain with the same beginning',
      lists(['partner.example']),
      'eve@partner.example.evil.example',
    ],
    [
      'an address whose local part is the domain',
      lists(['partner.example']),
      'partner.example@evil.example',
    ],
    ['another address of the domain', lists([], ['eve@partner.example']), 'adam@partner.example'],
    ['an address with a + suffix', lists([], ['eve@partner.example']), 'eve+1@partner.example'],
    ['a text that is not an address', lists(['partner.example']), 'partner.example'],
    ['an address by an invalid entry', lists(['', '@', '*.example']), 'eve@partner.example'],
  ])('An allow-list does not match %s', (_, list, email) => {
    expect(isEmailAllowed(list, email)).toBe(false);
  });
});
