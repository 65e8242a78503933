/** How much a client wants one media type (RFC 9110, section 12.5.1). */
type MediaTypePreference = {
  /** From 0 (never) to 1. */
  quality: number;
  /** Whether a range names the type itself, rather than a group of types. */
  isNamed: boolean;
};

/**
 * The preference that an `Accept` header expresses for a media type. The type is in lower case. The
 * most specific range counts. Without a header every type has quality 1.
 */
export function preferenceFor(accept: string | null, type: string): MediaTypePreference {
  const ranges = parseRanges(accept ?? '');
  if (ranges.length === 0) return { quality: 1, isNamed: false };
  const named = ranges.find((range) => range.name === type);
  const any = `${type.slice(0, type.indexOf('/'))}/*`;
  const range =
    named ?? ranges.find(({ name }) => name === any) ?? ranges.find(({ name }) => name === '*/*');
  return { quality: range?.quality ?? 0, isNamed: named !== undefined };
}

/**
 * Whether the client prefers `type` over `otherwise`, the type that it gets by default. With equal
 * quality, a type that the header names wins.
 */
export function prefers(accept: string | null, type: string, otherwise: string): boolean {
  const wanted = preferenceFor(accept, type);
  const other = preferenceFor(accept, otherwise);
  return (
    wanted.quality > other.quality ||
    (wanted.isNamed && wanted.quality > 0 && wanted.quality === other.quality)
  );
}

/**
 * The coding of ours that the client prefers for a response (RFC 9110, section 12.5.3), or
 * undefined if it prefers none. Of codings with equal quality the first of ours is used. Without the
 * header the server uses none, because old clients cannot decode any.
 */
export function preferredCoding<Coding extends string>(
  acceptEncoding: string | null,
  codings: readonly Coding[],
): Coding | undefined {
  const ranges = parseRanges(acceptEncoding ?? '');
  const qualityOf = (coding: string) =>
    (
      ranges.find(({ name }) => name === coding || name === `x-${coding}`) ??
      ranges.find(({ name }) => name === '*')
    )?.quality ?? 0;
  // A client that lists codings wants one of them, unless it names "identity".
  const plain = ranges.find(({ name }) => name === 'identity')?.quality ?? 0;
  const [best] = codings
    .map((coding) => ({ coding, quality: qualityOf(coding) }))
    .filter(({ quality }) => quality > 0 && quality >= plain)
    .sort((one, other) => other.quality - one.quality);
  return best?.coding;
}

type QualityRange = { name: string; quality: number };

/** The members of a header with quality values. A quality that is malformed counts as 1. */
export const parseRanges = (header: string): QualityRange[] =>
  header
    .toLowerCase()
    .split(',')
    .map(parseRange)
    .filter(({ name }) => name !== '');

function parseRange(range: string): QualityRange {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters
    .map((parameter) => /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  return { name, quality: Number(quality ?? 1) };
}
