/** Limits of one run. */
export const runLimits = {
  messages: 1_000,
  /** The parts of one message. */
  messageParts: 1_000,
  /** The characters of all messages together, as JSON. A JSON body cannot hold more either. */
  messageCharacters: 1_000_000,
  /**
   * The number of files that are sent with one run, the bytes of each, and the characters of text
   * of all of them together.
   */
  files: 100,
  fileBytes: 26_214_400,
  fileCharacters: 200_000,
  /** Tokens that a model may write in one step, including its reasoning. */
  outputTokensPerStep: 16_384,
  /** The bytes of one answer of a provider. A longer answer is an error. */
  providerBytes: 16_777_216,
  /** Limits of one search in the knowledge base. */
  passagesPerSearch: 8,
  queryCharacters: 4_000,
} as const;
