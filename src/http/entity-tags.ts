const tagForm = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * Whether an If-Match or If-None-Match header lists this tag (RFC 9110, section 13.1). Weak
 * comparison is enough to answer "not modified", and not enough to allow a change.
 */
export function namesTag(header: string, tag: string, { weakly }: { weakly: boolean }): boolean {
  if (header.trim() === '*') return true;
  return [...header.matchAll(tagForm)].some(
    ([, weak, value]) => (weakly || weak === undefined) && `"${value}"` === tag,
  );
}
