/** How much one run may take and use. */
export const runLimits = {
  messages: 1_000,
  /** Over all messages; more does not fit into a JSON body either. */
  messageCharacters: 1_000_000,
  /** Files that join one run, the bytes of each, and what is read of all of them together. */
  files: 100,
  fileBytes: 26_214_400,
  fileCharacters: 200_000,
  /** Tokens of one answer of a model. Reasoning counts. */
  outputTokensPerStep: 16_384,
  /** An answer of a provider that is longer than this is no answer. */
  providerBytes: 16_777_216,
  /** A search in the knowledge base. */
  passagesPerSearch: 8,
  queryCharacters: 4_000,
} as const;
