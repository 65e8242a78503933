import { domainToASCII } from 'node:url';

// What can stand in the name of a host before it is normalised. The URL parser behind domainToASCII
// would cut "b.example/x" to "b.example" and read "0x7f.1" as an address.
const written = /^(?:[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]|\u200c|\u200d){1,500}$/u;
const hostName =
  /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.(?!-|\d+$|0x[0-9a-f]*$)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * The form in which hosts are kept and compared: lower case, ASCII, without a dot at the end, never
 * an address of numbers.
 */
export function parseHostName(text: string): string | undefined {
  if (!written.test(text)) return undefined;
  const host = domainToASCII(text);
  return host.length <= 253 && hostName.test(host) ? host : undefined;
}
