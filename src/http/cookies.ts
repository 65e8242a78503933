/** The value of a cookie in a request's Cookie header. */
export function cookieIn(header: string | null, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return undefined;
}

/**
 * Over HTTPS the cookie gets the `__Host-` prefix: browsers then accept it only from this host,
 * with `Secure` and `Path=/`.
 */
export const cookieName = (name: string, isHttps: boolean): string =>
  isHttps ? `__Host-${name}` : name;
