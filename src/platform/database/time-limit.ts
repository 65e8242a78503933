/** The work's outcome, or a rejection once the time is over; the work itself goes on. */
export async function timeLimit<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error(message), { code: 'ETIMEDOUT' })),
    ms,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
