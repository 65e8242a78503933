import { isIPv4, isIPv6 } from 'node:net';

const mappedIPv4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * The network that identifies one client: the IPv4 address, or the /64 network of an IPv6 address,
 * which belongs to one customer.
 */
export function networkOf(address = ''): string {
  const groups = groupsIn(address);
  return typeof groups === 'string' ? groups : `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * The /24 network of an IPv4 address or the /48 network of an IPv6 address: what a provider assigns
 * to one customer or one site of a company.
 */
export function wideNetworkOf(address = ''): string {
  const groups = groupsIn(address);
  if (typeof groups !== 'string') return `${groups.slice(0, 3).join(':')}::/48`;
  return isIPv4(groups) ? `${groups.slice(0, groups.lastIndexOf('.'))}.0/24` : groups;
}

/** The eight groups of an IPv6 address, an unchanged IPv4 address, or "unknown". */
function groupsIn(address: string): string[] | string {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'unknown';
  const [withoutZone = ''] = address.split('%');
  // The URL parser writes the canonical short form of RFC 5952.
  const short = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [, high, low] = mappedIPv4.exec(short) ?? [];
  if (high !== undefined && low !== undefined)
    return dotted(Number.parseInt(high, 16), Number.parseInt(low, 16));
  const [before = '', after = ''] = short.split('::');
  const start = groupsOf(before);
  const zeros = Array.from({ length: 8 - start.length - groupsOf(after).length }, () => '0');
  return [...start, ...zeros, ...groupsOf(after)];
}

const groupsOf = (text: string) => text.split(':').filter(Boolean);
const dotted = (high: number, low: number) =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');
