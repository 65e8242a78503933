import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './is-public-address.ts';
import { PublicAddressError } from './public-address-error.ts';

/** What a checked URL connects to. IPv6 addresses have no brackets. */
export type PublicUrl = { url: URL; host: string; port: number; isTls: boolean };

// Services that take commands over HTTPS and often trust the network of a company: Docker, etcd,
// Kubernetes, Consul, Vault, Elasticsearch, CouchDB, WinRM, Proxmox. A company can run them on
// public addresses that only its own machines may reach.
const internalPorts: ReadonlySet<number> = new Set([
  2375, 2376, 2377, 2379, 2380, 5984, 5985, 5986, 6443, 6984, 8006, 8200, 8201, 8500, 8501, 9200,
  9300, 10250, 10255, 10257, 10259, 16443,
]);

/**
 * Applies every rule that needs no DNS. Ports below 1024 other than 443 belong to other protocols
 * and are refused, so that Atrium does not scan them for a customer.
 */
export function checkPublicUrl(text: string, allowLoopback: boolean): PublicUrl {
  const url = URL.parse(text);
  if (!url) throw new PublicAddressError('INVALID_URL');
  const isTls = url.protocol === 'https:';
  if (!isTls && !(allowLoopback && url.protocol === 'http:'))
    throw new PublicAddressError('SCHEME_NOT_ALLOWED');
  if (url.username !== '' || url.password !== '')
    throw new PublicAddressError('USERINFO_NOT_ALLOWED');
  // The URL parser has turned decimal, octal, hexadecimal and short forms into four decimal bytes.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (isTls ? 443 : 80));
  // In development a receiver on this machine can have any port.
  if (!allowLoopback && port !== 443 && (port < 1_024 || internalPorts.has(port)))
    throw new PublicAddressError('PORT_NOT_ALLOWED');
  if (isIP(host) !== 0) checkAddresses([host], { isTls, allowLoopback });
  else if (isLocalName(host) && !(allowLoopback && isLoopbackName(host)))
    throw new PublicAddressError('NO_PUBLIC_ADDRESS');
  return { url, host, port, isTls };
}

// Names of this machine and of local networks: RFC 6761, 6762, 8375 and the reservation of .internal
// by ICANN. A proxy would resolve them in its own network.
const localDomains = ['localhost', 'local', 'internal', 'home.arpa'];

const isLoopbackName = (host: string): boolean => isWithin('localhost', host);
const isLocalName = (host: string): boolean =>
  !withoutRoot(host).includes('.') || localDomains.some((domain) => isWithin(domain, host));
const isWithin = (domain: string, host: string): boolean =>
  `.${withoutRoot(host)}`.endsWith(`.${domain}`);
const withoutRoot = (host: string): string => host.replace(/\.$/, '');

/**
 * One address that is not public refuses all: a name that has both kinds is a mistake or an attack,
 * and the choice between them would be up to the order of the answer.
 */
export function checkAddresses(
  addresses: readonly string[],
  { isTls, allowLoopback }: { isTls: boolean; allowLoopback: boolean },
): void {
  const isAllowed = (address: string) =>
    (isTls && isPublicAddress(address)) || (allowLoopback && isLoopbackAddress(address));
  if (addresses.length === 0 || !addresses.every(isAllowed))
    throw new PublicAddressError('NO_PUBLIC_ADDRESS');
}
