export const retryAfterMsMax = 86_400_000;

/** The wait that a Retry-After header asks for: seconds or a date (RFC 9110, 10.2.3), at most a day. */
export function retryAfterMsOf(header: string | null | undefined, at: Date): number | undefined {
  if (header == null) return undefined;
  const ms = /^\d+$/.test(header)
    ? Number(header) * 1_000
    : new Date(header).getTime() - at.getTime();
  return ms > 0 ? Math.min(ms, retryAfterMsMax) : undefined;
}
