import { BlockList, isIPv4, isIPv6 } from 'node:net';

const specialIPv4 = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by the customers of a provider (RFC 6598)
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // services of Azure for its virtual machines
  ['169.254.0.0', 16], // link-local, with the credentials of cloud machines
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // former 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
] as const)
  specialIPv4.addSubnet(network, bits, 'ipv4');

// Only 2000::/3 is assigned to the internet. Loopback, unique local, link-local, site-local and
// multicast addresses, and the mapped, compatible and NAT64 forms of IPv4, are outside of it.
const internetIPv6 = new BlockList();
internetIPv6.addSubnet('2000::', 3, 'ipv6');
const specialIPv6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23], // protocol assignments, with Teredo, benchmarks and ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which contains an IPv4 address
  ['3fff::', 20], // documentation
] as const)
  specialIPv6.addSubnet(network, bits, 'ipv6');

/** Whether an IP address belongs to the public internet, by the registries of RFC 6890. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIPv4.check(address, 'ipv4');
  // A zone, as in fe80::1%eth0, selects an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return internetIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export const isLoopbackAddress = (address: string): boolean =>
  (isIPv4(address) && loopback.check(address, 'ipv4')) ||
  (isIPv6(address) && !address.includes('%') && loopback.check(address, 'ipv6'));
