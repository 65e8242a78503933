import { describe, expect, it } from 'vitest';
import { createClientAddress } from '../../src/platform/client-address.ts';
import { readEnv } from '../../src/platform/env.ts';

const from = (proxies: string[], connectedFrom: string | undefined, forwardedFor?: string) =>
  createClientAddress(proxies)(
    { headers: new Headers(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }) },
    connectedFrom,
  );

describe('the address of a client', () => {
  it.each([
    [
      'the other end of the connection, where no proxy is trusted',
      [],
      '192.0.2.1',
      '198.51.100.1',
      '192.0.2.1',
    ],
    [
      'the other end, where it is not the proxy',
      ['10.0.0.0/8'],
      '192.0.2.1',
      '198.51.100.1',
      '192.0.2.1',
    ],
    ['what the proxy has seen', ['10.0.0.0/8'], '10.1.1.1', '198.51.100.1', '198.51.100.1'],
    [
      'the last that no trusted proxy has, whatever was claimed before it',
      ['10.0.0.0/8'],
      '10.1.1.1',
      '203.0.113.9, 198.51.100.1, 10.2.2.2',
      '198.51.100.1',
    ],
    ['the proxy itself, where it says nothing', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    [
      'an IPv6 address behind an IPv6 network',
      ['2001:db8::/32'],
      '2001:db8::1',
      '2001:db9::5',
      '2001:db9::5',
    ],
    ['nobody’s, where there is no connection', ['10.0.0.1'], undefined, '198.51.100.1', undefined],
  ])('is %s', (_, proxies, connectedFrom, forwardedFor, expected) => {
    expect(from(proxies, connectedFrom, forwardedFor)).toBe(expected);
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.1/8/8'])(
    'a setting that is no address or network is refused: %s',
    (proxy) => {
      expect(() => readEnv({ TRUSTED_PROXIES: `10.0.0.1,${proxy}` })).toThrow(/TRUSTED_PROXIES/);
    },
  );
});

describe('a proxy that nobody trusts', () => {
  const asked = (addresses: string[], headers: Record<string, string>, proxies: string[] = []) => {
    const warnings: unknown[] = [];
    const addressOf = createClientAddress(proxies, {
      warn: (...given: unknown[]) => void warnings.push(given),
    });
    for (const address of addresses) addressOf({ headers: new Headers(headers) }, address);
    return warnings.length;
  };
  const forwarded = { 'x-forwarded-for': '198.51.100.1' };

  it('is warned of once an hour where it is in a private network', () => {
    for (const address of ['10.1.1.1', '172.20.0.1', '192.168.0.1', '127.0.0.1', '::1', 'fd00::1'])
      expect(asked([address, address], forwarded)).toBe(1);
  });

  it('is not warned of where it is in no private network, says nothing of clients, or proxies are named', () => {
    expect(asked(['192.0.2.1', '2001:db8::1'], forwarded)).toBe(0);
    expect(asked(['10.1.1.1'], {})).toBe(0);
    expect(asked(['10.1.1.1'], forwarded, ['10.0.0.0/8'])).toBe(0);
  });
});
