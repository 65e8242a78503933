import { describe, expect, it } from 'vitest';
import { admits } from '../../../src/modules/sponsorship/allow-list.ts';

const lists = (allowedEmailDomains: string[], allowedEmails: string[] = []) => ({
  allowedEmailDomains,
  allowedEmails,
});

describe('an allow-list', () => {
  it('that is empty admits everyone', () => {
    expect(admits(lists([]), 'anybody@anywhere.example')).toBe(true);
  });

  it.each([
    ['the exact host', lists(['partner.example']), 'eve@partner.example'],
    ['a host, whatever its case', lists(['partner.example']), 'Eve@Partner.EXAMPLE'],
    ['a host, whatever its letters', lists(['xn--bcher-kva.example']), 'eve@BÜCHER.example'],
    ['an address, whatever its case', lists([], ['eve@partner.example']), ' EVE@partner.example'],
    [
      'an address in the other list',
      lists(['other.example'], ['eve@partner.example']),
      'eve@partner.example',
    ],
    [
      'a host in the other list',
      lists(['partner.example'], ['adam@other.example']),
      'eve@partner.example',
    ],
  ])('admits by %s', (_, list, email) => {
    expect(admits(list, email)).toBe(true);
  });

  it.each([
    ['a subdomain', lists(['partner.example']), 'eve@mail.partner.example'],
    ['the domain above', lists(['mail.partner.example']), 'eve@partner.example'],
    ['a host that only ends alike', lists(['partner.example']), 'eve@notpartner.example'],
    [
      'a host that only begins alike',
      lists(['partner.example']),
      'eve@partner.example.evil.example',
    ],
    [
      'an address whose name holds the host',
      lists(['partner.example']),
      'partner.example@evil.example',
    ],
    ['another person of the host', lists([], ['eve@partner.example']), 'adam@partner.example'],
    ['a name with an ending', lists([], ['eve@partner.example']), 'eve+1@partner.example'],
    ['nothing that is an address', lists(['partner.example']), 'partner.example'],
    ['an entry that is none', lists(['', '@', '*.example']), 'eve@partner.example'],
  ])('does not admit %s', (_, list, email) => {
    expect(admits(list, email)).toBe(false);
  });
});
