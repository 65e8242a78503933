import { decimalOf, unitsOf } from '../../platform/decimal.ts';
import type { Env } from '../../platform/env.ts';

export type ModelPrices = Env['MODEL_PRICES'];

/** What the searches of a step have used of an embedding model. */
type EmbeddingTokens = { model: string; tokens: number };

export type TokenCounts = { promptTokens: number; completionTokens: number; cachedTokens: number };

// Prices have at most nine decimal places, and are for a million tokens.
const priceDecimals = 9;
const costDecimals = priceDecimals + 6;

/**
 * The cost of these tokens as a decimal number; null if the model has no price. Embeddings are part
 * of it if their model has a price. Integers compute it, so that no amount is rounded.
 */
export function stepCost(
  model: string,
  { promptTokens, completionTokens, cachedTokens }: TokenCounts,
  prices: ModelPrices,
  embedding?: EmbeddingTokens,
): string | null {
  const price = priceOf(model, prices);
  if (!price) return null;
  const embeddingPrice = embedding && priceOf(embedding.model, prices);
  // A provider may count more cached tokens than tokens of the prompt.
  const cached = Math.min(cachedTokens, promptTokens);
  const total =
    BigInt(promptTokens - cached) * inUnits(price.input) +
    BigInt(cached) * inUnits(price.cachedInput ?? price.input) +
    BigInt(completionTokens) * inUnits(price.output) +
    (embeddingPrice ? BigInt(embedding.tokens) * inUnits(embeddingPrice.input) : 0n);
  return decimalOf(total, costDecimals);
}

const priceOf = (model: string, prices: ModelPrices) =>
  prices && Object.hasOwn(prices.models, model) ? prices.models[model] : undefined;

const inUnits = (price: string) => unitsOf(price, priceDecimals);
