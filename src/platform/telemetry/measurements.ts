/** A histogram of the semantic conventions, with the boundaries that they recommend. */
type Histogram = { unit: string; description: string; boundaries: readonly number[] };

export const histograms = {
  'http.server.request.duration': {
    unit: 's',
    description: 'Duration of HTTP server requests.',
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  'gen_ai.client.operation.duration': {
    unit: 's',
    description: 'GenAI operation duration.',
    boundaries: [
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ],
  },
  'gen_ai.client.token.usage': {
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    boundaries: [
      1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
      67_108_864,
    ],
  },
} as const satisfies Record<string, Histogram>;

export type HistogramName = keyof typeof histograms;
