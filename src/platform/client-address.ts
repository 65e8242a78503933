import { BlockList, isIP } from 'node:net';
import type { Log } from './log.ts';

/**
 * Who a request comes from: the other end of the connection, or what the proxies that are trusted
 * say of it.
 */
export type ClientAddressOf = (
  request: Pick<Request, 'headers'>,
  connectedFrom: string | undefined,
) => string | undefined;

/**
 * `proxies` are addresses and networks. What stands in X-Forwarded-For before the first that is not
 * one of them is only a claim.
 */
export function createClientAddress(
  proxies: readonly string[],
  log?: Pick<Log, 'warn'>,
): ClientAddressOf {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  const warn = log && createProxyWarning(log);

  return ({ headers }, connectedFrom) => {
    if (proxies.length === 0 && connectedFrom !== undefined) warn?.(headers, connectedFrom);
    if (proxies.length === 0 || connectedFrom === undefined || !isTrusted(connectedFrom))
      return connectedFrom;
    const announced = (headers.get('x-forwarded-for') ?? '')
      .split(',')
      .map((address) => address.trim());
    return announced.reverse().find((address) => !isTrusted(address)) || connectedFrom;
  };
}

const warnedEveryMs = 3_600_000;

const ownNetworks = new BlockList();
for (const [network, bits, family] of [
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
] as const)
  ownNetworks.addSubnet(network, bits, family);

/**
 * Says, at most once an hour, that there seems to be a proxy whose word is not believed: everybody
 * then counts as one client.
 */
function createProxyWarning(
  log: Pick<Log, 'warn'>,
): (headers: Headers, connectedFrom: string) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (headers, connectedFrom) => {
    if (performance.now() - warnedAt < warnedEveryMs || !headers.has('x-forwarded-for')) return;
    if (!ownNetworks.check(connectedFrom, isIP(connectedFrom) === 6 ? 'ipv6' : 'ipv4')) return;
    warnedAt = performance.now();
    log.warn(
      { connectedFrom },
      'A proxy in a private network sends X-Forwarded-For, and TRUSTED_PROXIES is empty: all its clients are counted as one, and one of them can use up the limits of all. Set TRUSTED_PROXIES to the address of the proxy',
    );
  };
}
