import { BlockList, isIP } from 'node:net';
import type { Log } from '../platform/log.ts';

/**
 * The client address of a request: the remote address of the connection or, if that is a trusted
 * proxy, the address that the proxy reports.
 */
export type ClientAddressOf = (
  request: Pick<Request, 'headers'>,
  remoteAddress: string | undefined,
) => string | undefined;

/**
 * `proxies` are addresses and networks. X-Forwarded-For is read from the right; the first address
 * that is not a trusted proxy is the client, and everything left of it is unverified.
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

  return ({ headers }, remoteAddress) => {
    if (proxies.length === 0 && remoteAddress !== undefined) warn?.(headers, remoteAddress);
    if (proxies.length === 0 || remoteAddress === undefined || !isTrusted(remoteAddress))
      return remoteAddress;
    const forwarded = (headers.get('x-forwarded-for') ?? '')
      .split(',')
      .map((address) => address.trim());
    return forwarded.reverse().find((address) => !isTrusted(address)) || remoteAddress;
  };
}

const warningIntervalMs = 3_600_000;

const privateNetworks = new BlockList();
for (const [network, bits, family] of [
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
] as const)
  privateNetworks.addSubnet(network, bits, family);

/**
 * Logs, at most once an hour, that an untrusted proxy seems to be in front: without TRUSTED_PROXIES
 * all its clients count as one.
 */
function createProxyWarning(
  log: Pick<Log, 'warn'>,
): (headers: Headers, remoteAddress: string) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (headers, remoteAddress) => {
    if (performance.now() - warnedAt < warningIntervalMs || !headers.has('x-forwarded-for')) return;
    if (!privateNetworks.check(remoteAddress, isIP(remoteAddress) === 6 ? 'ipv6' : 'ipv4')) return;
    warnedAt = performance.now();
    log.warn(
      { connectedFrom: remoteAddress },
      'A proxy in a private network sends X-Forwarded-For, and TRUSTED_PROXIES is empty: all its clients are counted as one, and one of them can use up the limits of all. Set TRUSTED_PROXIES to the address of the proxy',
    );
  };
}
