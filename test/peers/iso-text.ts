/** The time of a `timestamptz` as ISO text. A Date would only be converted back. */
export const isoText = (text: string): string =>
  text.length === 26 && text.endsWith('+00')
    ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
    : new Date(text).toISOString();
