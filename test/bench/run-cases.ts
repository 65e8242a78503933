/** One call of the provider: when it had the whole request, and when it began to answer. */
export type ProviderCall = { run: string; calledAt: number; respondedAt: number };

/**
 * The runs that are measured. Each begins with the name of its case. A run that searches calls the
 * provider twice. `answersAfterMs`: the shortest and the longest time of the provider for an answer.
 */
export const runCases = {
  alone: { searches: true, answersAfterMs: [0, 0] },
  crowd: { searches: true, answersAfterMs: [1_000, 3_000] },
  burst: { searches: true, answersAfterMs: [1_000, 1_000] },
  plain: { searches: false, answersAfterMs: [1_000, 1_000] },
} as const satisfies Record<string, { searches: boolean; answersAfterMs: [number, number] }>;

export type RunCase = keyof typeof runCases;

/** Milliseconds that the processes of one machine agree on. */
export const now = (): number => performance.timeOrigin + performance.now();
