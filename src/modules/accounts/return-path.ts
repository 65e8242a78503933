const lengthMax = 2_000;

/**
 * A path of ours that somebody is to come back to after a mail or another site. Anything that could
 * lead elsewhere is none.
 */
export function parseReturnPath(value: unknown): string | undefined {
  if (
    typeof value !== 'string' ||
    value.length > lengthMax ||
    !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value)
  )
    return undefined;
  const url = new URL(value, 'http://atrium.invalid');
  return url.host === 'atrium.invalid' ? value : undefined;
}
