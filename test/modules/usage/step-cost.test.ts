import { describe, expect, it } from 'vitest';
import { stepCost } from '../../../src/modules/usage/step-cost.ts';
import { readEnv } from '../../../src/platform/env.ts';

const pricesOf = (value: unknown) =>
  readEnv({ NODE_ENV: 'test', MODEL_PRICES: JSON.stringify(value) }).MODEL_PRICES;
const prices = pricesOf({
  currency: 'EUR',
  models: {
    large: { input: '2.50', output: '10', cachedInput: '1.25' },
    plain: { input: '0.1', output: '0.2' },
    exact: { input: '0.000000001', output: '999999999.999999999' },
  },
});
const tokens = (promptTokens: number, completionTokens: number, cachedTokens = 0) => ({
  ...{ promptTokens, completionTokens, cachedTokens },
});

describe('The cost of a step', () => {
  it.each([
    ['large', tokens(1_000_000, 0), '2.5'],
    ['large', tokens(1_000_000, 1_000_000, 400_000), '12'],
    ['large', tokens(1, 1), '0.0000125'],
    ['large', tokens(0, 0), '0'],
    ['plain', tokens(3, 0, 3), '0.0000003'],
    // More cached tokens than tokens of the prompt: a fault of the provider.
    ['large', tokens(1_000_000, 0, 5_000_000), '1.25'],
    ['exact', tokens(1, 0), '0.000000000000001'],
    ['exact', tokens(2_147_483_647, 2_147_483_647), '2147483647000'],
  ])('of %s for %o is exactly %s', (model, usage, cost) => {
    expect(stepCost(model, usage, prices)).toBe(cost);
  });

  it('contains the embeddings whose model has a price', () => {
    const of = (model: string, embedding: string) =>
      stepCost(model, tokens(1_000_000, 0), prices, { model: embedding, tokens: 500_000 });
    expect(of('large', 'plain')).toBe('2.55');
    expect(of('large', 'without a price')).toBe('2.5');
    expect(of('without a price', 'plain')).toBeNull();
  });

  it('is null for a model without a price, and without prices', () => {
    expect(stepCost('small', tokens(1, 1), prices)).toBeNull();
    expect(stepCost('toString', tokens(1, 1), prices)).toBeNull();
    expect(stepCost('large', tokens(1, 1), undefined)).toBeNull();
  });
});

describe('MODEL_PRICES', () => {
  it('One message names every fault', () => {
    const faulty = {
      currency: 'euro',
      models: { large: { input: 2.5, output: '-1' }, small: { input: '1' } },
    };
    const fault = () => pricesOf(faulty);
    for (const name of ['currency', 'large.input', 'large.output', 'small.output'])
      expect(fault).toThrow(name);
  });

  it('A text that is no JSON is refused', () => {
    expect(() => readEnv({ NODE_ENV: 'test', MODEL_PRICES: '{' })).toThrow(
      'MODEL_PRICES: must be JSON',
    );
  });
});
