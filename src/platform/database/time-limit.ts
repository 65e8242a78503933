/**
 * Resolves like the promise, or rejects after the time limit. The operation itself is not
 * cancelled.
 */
export async function timeLimit<T>(promise: Promise<T>, ms: number, message: string): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error(message), { code: 'ETIMEDOUT' })),
    ms,
  );
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
