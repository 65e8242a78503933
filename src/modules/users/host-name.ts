import { domainToASCII } from 'node:url';

// The characters of a host name before it is normalized. Without this check the URL parser behind
// domainToASCII would cut "b.example/x" to "b.example" and read "0x7f.1" as an IP address.
const inputPattern = /^(?:[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]|\u200c|\u200d){1,500}$/u;
const hostNamePattern =
  /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.(?!-|\d+$|0x[0-9a-f]*$)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * Converts a host name to the form in which it is stored and compared: lower case, ASCII, without a
 * dot at the end. Returns undefined for an IP address or an invalid name.
 */
export function parseHostName(text: string): string | undefined {
  if (!inputPattern.test(text)) return undefined;
  const host = domainToASCII(text);
  return host.length <= 253 && hostNamePattern.test(host) ? host : undefined;
}
