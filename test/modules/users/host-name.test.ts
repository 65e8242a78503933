import { describe, expect, it } from 'vitest';
import { parseEmailAddress } from '../../../src/modules/users/email-address.ts';
import { parseHostName } from '../../../src/modules/users/host-name.ts';

describe('the name of a host', () => {
  it.each([
    ['EXAMPLE.com', 'example.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['example。com', 'example.com'],
    ['3com.example', '3com.example'],
  ])('The host name %s is stored as %s', (text, stored) => {
    expect(parseHostName(text)).toBe(stored);
  });

  it.each([
    '',
    'example',
    'example.com.',
    '.example.com',
    'a..example',
    '-a.example',
    'a_b.example',
    'a b.example',
    `${'x'.repeat(64)}.example`,
  ])('"%s" is not a host name', (text) => {
    expect(parseHostName(text)).toBeUndefined();
  });

  it.each([
    'b.example/x',
    'b.example?x',
    'b.example#x',
    'b.example\\x',
    'b%2eexample',
    'b.ex\tample',
    'b.example:80',
    'a@b.example',
    '0x7f.1',
    '127.0.0.1',
    '1.2',
    '[::1]',
  ])(
    '%s is rejected as a host name and in an e-mail address, although a URL parser would accept it',
    (text) => {
      expect(parseHostName(text)).toBeUndefined();
      expect(parseEmailAddress(`a@${text}`)).toBeUndefined();
    },
  );
});
