const lengthMax = 2_000;

/**
 * Returns the path to which a person comes back after a mail or a sign-in with a provider. Returns
 * undefined for anything that could lead to another site.
 */
export function parseReturnPath(value: unknown): string | undefined {
  if (
    typeof value !== 'string' ||
    value.length > lengthMax ||
    !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value)
  )
    return undefined;
  const { host, pathname } = new URL(value, 'http://atrium.invalid');
  // `/.//host` becomes `//host`, which browsers take for the address of another site.
  return host === 'atrium.invalid' && !pathname.startsWith('//') ? value : undefined;
}
