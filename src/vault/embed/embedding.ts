/** Turns texts into vectors of length 1. */
export type Embedder = {
  /**
   * Names the embedding space, including everything that changes the vectors. Vectors of different
   * spaces are never compared.
   */
  name: string;
  dimensions: number;
  /** The reader process computes the vectors of passages, and `embed` is used only for queries. */
  inWorker: boolean;
  /** The model of a provider that is paid by tokens. */
  paidModel?: string;
  embed(
    texts: string[],
    use: 'passage' | 'query',
    signal?: AbortSignal,
    /** Gets the tokens that the provider has counted. */
    counted?: (tokens: number) => void,
  ): Promise<Float32Array[]>;
};

export type EmbedderSettings = {
  provider: 'hashing' | 'openai' | 'local';
  model?: string | undefined;
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  dimensions?: number | undefined;
};
