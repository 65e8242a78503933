import { afterEach, describe, expect, it } from 'vitest';
import { findDefaultModel } from '../../../src/modules/runs/models/find-default-model.ts';
import { type FaultyResponse, modelProvider } from '../../support/model-provider.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function providerListing(answer: readonly string[] | FaultyResponse) {
  const provider = await modelProvider(() => ({ text: 'Hello.' }), answer);
  closers.push(provider.close);
  return provider;
}

const secret = 'sk-secret-of-the-provider';
const findModel = (
  MODEL_BASE_URL: string | undefined,
  MODEL_DEFAULT?: string,
  timeoutMs = 10_000,
) =>
  findDefaultModel(
    { MODEL_BASE_URL, MODEL_API_KEY: secret, MODEL_DEFAULT },
    { log: { info: () => undefined }, timeoutMs },
  );
const answerWith =
  (status: number, body: string): FaultyResponse =>
  (response) =>
    response.writeHead(status).end(body);

describe('The default model', () => {
  it('The default is the only model that the provider lists; the request carries the API key', async () => {
    const provider = await providerListing(['meta/large', 'meta/large']);
    expect(await findModel(provider.baseUrl)).toBe('meta/large');
    expect(await findModel(`${provider.baseUrl}/`)).toBe('meta/large');
    expect(provider.keys).toEqual([`Bearer ${secret}`, `Bearer ${secret}`]);
  });

  it('MODEL_DEFAULT, or the built-in model without a provider, is used without asking the provider', async () => {
    const provider = await providerListing(['large']);
    expect(await findModel(provider.baseUrl, 'small')).toBe('small');
    expect(await findModel(undefined)).toBeUndefined();
    expect(provider.listRequests()).toBe(0);
  });

  const twelveIds = Array.from({ length: 12 }, (_, index) => `model-${index + 1}`);

  it.each<[string, readonly string[] | FaultyResponse, RegExp]>([
    ['two models', ['small', 'large'], /has 2 models: small, large$/],
    ['twelve models', twelveIds, /has 12 models: model-1, .*, model-10 and 2 more$/],
    ['names with control characters', ['a\u001b[31m', 'b\n'], /has 2 models: a\[31m, b$/],
    ['no model', [], /lists no model$/],
    [
      'null in place of the list',
      answerWith(200, '{"object":"list","data":null}'),
      /lists no model$/,
    ],
    [
      'status 401',
      answerWith(401, `{"error":"${secret}"}`),
      /answers GET \/models with status 401; MODEL_API_KEY may be wrong$/,
    ],
    [
      'status 404',
      answerWith(404, `<html>${secret}</html>`),
      /answers GET \/models with status 404$/,
    ],
    ['a web page', answerWith(200, '<html></html>'), /something that is not a list of models$/],
    [
      'JSON of another kind',
      answerWith(200, '{"data":[{"name":"x"}]}'),
      /something that is not a list of models$/,
    ],
    ['more than 4 MiB', answerWith(200, 'x'.repeat(5_000_000)), /with more than 4194304 bytes$/],
    ['a broken connection', (response) => response.destroy(), /could not be asked for its models/],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      /could not be asked for its models/,
    ],
  ])(
    'The start fails if the provider answers with %s; the error names the setting and not the key',
    async (_, answer, sentence) => {
      const provider = await providerListing(answer);
      const fault = await findModel(provider.baseUrl).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(Error);
      expect(String(fault)).toMatch(
        /These settings are wrong:\n {2}MODEL_DEFAULT: must be set to a model of the provider at MODEL_BASE_URL, which /,
      );
      expect(String(fault)).toMatch(sentence);
      expect(String(fault)).not.toContain(secret);
    },
  );

  it.each<[string, FaultyResponse]>([
    ['never answers', () => undefined],
    [
      'begins an answer and never ends it',
      (response) => response.writeHead(200).write('{"data":['),
    ],
  ])('The start fails if the provider %s', async (_, answer) => {
    const provider = await providerListing(answer);
    await expect(findModel(provider.baseUrl, undefined, 300)).rejects.toThrow(
      /MODEL_DEFAULT: .* did not answer GET \/models within 0.3 seconds$/,
    );
  });

  it('The start fails if the provider cannot be reached', async () => {
    await expect(findModel('http://127.0.0.1:9/v1')).rejects.toThrow(
      /MODEL_DEFAULT: .* could not be asked for its models/,
    );
  });
});
