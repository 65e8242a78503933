import { decimalOf, unitsOf } from '../../platform/decimal.ts';
import type { Env } from '../../platform/env.ts';

export type ModelPrices = Env['MODEL_PRICES'];

export type TokenCounts = { promptTokens: number; completionTokens: number; cachedTokens: number };

// Prices have at most nine decimal places, and are for a million tokens.
const priceDecimals = 9;
const costDecimals = priceDecimals + 6;

/**
 * The cost of these tokens as a decimal number; null if the model has no price. Integers compute
 * it, so that no amount is rounded.
 */
export function stepCost(
  model: string,
  { promptTokens, completionTokens, cachedTokens }: TokenCounts,
  prices: ModelPrices,
): string | null {
  const price = prices && Object.hasOwn(prices.models, model) ? prices.models[model] : undefined;
  if (!price) return null;
  // A provider may count more cached tokens than tokens of the prompt.
  const cached = Math.min(cachedTokens, promptTokens);
  const total =
    BigInt(promptTokens - cached) * inUnits(price.input) +
    BigInt(cached) * inUnits(price.cachedInput ?? price.input) +
    BigInt(completionTokens) * inUnits(price.output);
  return decimalOf(total, costDecimals);
}

const inUnits = (price: string) => unitsOf(price, priceDecimals);
