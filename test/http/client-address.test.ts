import { describe, expect, it } from 'vitest';
import { createClientAddress } from '../../src/http/client-address.ts';
import { readEnv } from '../../src/platform/env.ts';

const clientAddress = (
  proxies: string[],
  connectedFrom: string | undefined,
  forwardedFor?: string,
) =>
  createClientAddress(proxies)(
    { headers: new Headers(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }) },
    connectedFrom,
  );

describe('the address of a client', () => {
  it.each([
    ['the remote address if no proxy is trusted', [], '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    [
      'the remote address if it is not a trusted proxy',
      ['10.0.0.0/8'],
      '192.0.2.1',
      '198.51.100.1',
      '192.0.2.1',
    ],
    [
      'the address that a trusted proxy reports',
      ['10.0.0.0/8'],
      '10.1.1.1',
      '198.51.100.1',
      '198.51.100.1',
    ],
    [
      'the last address that is not a trusted proxy, whatever precedes it',
      ['10.0.0.0/8'],
      '10.1.1.1',
      '203.0.113.9, 198.51.100.1, 10.2.2.2',
      '198.51.100.1',
    ],
    [
      'the address of the proxy if it reports none',
      ['10.0.0.1'],
      '10.0.0.1',
      undefined,
      '10.0.0.1',
    ],
    [
      'an IPv6 address behind an IPv6 network',
      ['2001:db8::/32'],
      '2001:db8::1',
      '2001:db9::5',
      '2001:db9::5',
    ],
    ['undefined without a connection', ['10.0.0.1'], undefined, '198.51.100.1', undefined],
  ])('the client address is %s', (_, proxies, connectedFrom, forwardedFor, expected) => {
    expect(clientAddress(proxies, connectedFrom, forwardedFor)).toBe(expected);
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.1/8/8'])(
    'TRUSTED_PROXIES rejects the value %s, which is neither an address nor a network',
    (proxy) => {
      expect(() => readEnv({ TRUSTED_PROXIES: `10.0.0.1,${proxy}` })).toThrow(/TRUSTED_PROXIES/);
    },
  );
});

describe('the warning about an untrusted proxy', () => {
  const countWarnings = (
    addresses: string[],
    headers: Record<string, string>,
    proxies: string[] = [],
  ) => {
    const warnings: unknown[] = [];
    const addressOf = createClientAddress(proxies, {
      warn: (...entry: unknown[]) => void warnings.push(entry),
    });
    for (const address of addresses) addressOf({ headers: new Headers(headers) }, address);
    return warnings.length;
  };
  const forwarded = { 'x-forwarded-for': '198.51.100.1' };

  it('an untrusted proxy in a private network is logged once an hour', () => {
    for (const address of ['10.1.1.1', '172.20.0.1', '192.168.0.1', '127.0.0.1', '::1', 'fd00::1'])
      expect(countWarnings([address, address], forwarded)).toBe(1);
  });

  it('an untrusted proxy is not logged if its network is public, it sends no X-Forwarded-For, or proxies are configured', () => {
    expect(countWarnings(['192.0.2.1', '2001:db8::1'], forwarded)).toBe(0);
    expect(countWarnings(['10.1.1.1'], {})).toBe(0);
    expect(countWarnings(['10.1.1.1'], forwarded, ['10.0.0.0/8'])).toBe(0);
  });
});
