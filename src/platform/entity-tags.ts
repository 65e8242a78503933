const tagForm = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * Whether a header like If-Match or If-None-Match names this tag (RFC 9110, 13.1). A weak tag says
 * "about the same", which is enough to answer "not modified" and not enough to change something.
 */
export function namesTag(header: string, tag: string, { weakly }: { weakly: boolean }): boolean {
  if (header.trim() === '*') return true;
  return [...header.matchAll(tagForm)].some(
    ([, weak, value]) => (weakly || weak === undefined) && `"${value}"` === tag,
  );
}
