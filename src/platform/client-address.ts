import { BlockList, isIP } from 'node:net';

/** Who a request comes from: the other end of the connection, or what the proxies that are trusted say of it. */
export type ClientAddressOf = (request: Pick<Request, 'headers'>, connectedFrom: string | undefined) => string | undefined;

/** `proxies` are addresses and networks. What stands in X-Forwarded-For before the first that is not one of them is only a claim. */
export function createClientAddress(proxies: readonly string[]): ClientAddressOf {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return ({ headers }, connectedFrom) => {
    if (proxies.length === 0 || connectedFrom === undefined || !isTrusted(connectedFrom)) return connectedFrom;
    const announced = (headers.get('x-forwarded-for') ?? '').split(',').map((address) => address.trim());
    return announced.reverse().find((address) => !isTrusted(address)) || connectedFrom;
  };
}
