import { afterEach, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { type FaultyResponse, modelProvider } from '../../support/model-provider.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function providerListing(models: readonly string[] | FaultyResponse) {
  const provider = await modelProvider(() => ({ text: 'Hello.' }), models);
  closers.push(provider.close);
  return provider;
}

async function appWith(settings: Record<string, string>): Promise<TestApp> {
  const app = await testApp(settings);
  closers.push(app.close);
  return app;
}

const someone = async (app: TestApp) => personIn(app, await app.organization());
const listed =
  (data: readonly object[]): FaultyResponse =>
  (response) =>
    response.end(JSON.stringify({ object: 'list', data }));

const available =
  '{ models { isComplete available { name contextTokens callsTools readsImages reasons structuresOutput } } }';
const unknown = {
  contextTokens: null,
  callsTools: null,
  readsImages: null,
  reasons: null,
  structuresOutput: null,
};
const builtIn = {
  name: 'atrium-extractive',
  contextTokens: null,
  callsTools: true,
  readsImages: false,
  reasons: false,
  structuresOutput: false,
};

it('The list of models has those of every provider, with what the provider and the settings say that they can do', async () => {
  const main = await providerListing(
    listed([
      {
        id: 'large',
        context_length: 128_000,
        architecture: { input_modalities: ['text', 'image'] },
        supported_parameters: ['tools', 'reasoning', 'structured_outputs'],
      },
      { id: 'far/hidden' },
      { id: `b${'x'.repeat(200)}` },
    ]),
  );
  const far = await providerListing(
    listed([
      {
        id: 'mistral',
        max_context_length: 32_000,
        capabilities: { function_calling: true, vision: false },
      },
      { id: 'vllm', max_model_len: 4_096 },
    ]),
  );
  const app = await appWith({
    MODEL_BASE_URL: main.baseUrl,
    MODEL_DEFAULT: 'small',
    MODEL_PROVIDERS: JSON.stringify({ far: { baseUrl: far.baseUrl } }),
    MODEL_CAPABILITIES: JSON.stringify({
      'far/vllm': { callsTools: false },
      unlisted: { readsImages: true },
    }),
  });
  const { data } = await (await someone(app)).graph(available);
  expect(data?.['models']).toEqual({
    isComplete: true,
    available: [
      builtIn,
      {
        ...unknown,
        ...{ name: 'far/mistral', contextTokens: 32_000, callsTools: true, readsImages: false },
      },
      { ...unknown, name: 'far/vllm', contextTokens: 4_096, callsTools: false },
      {
        ...{ name: 'large', contextTokens: 128_000, callsTools: true, readsImages: true },
        ...{ reasons: true, structuresOutput: true },
      },
      { ...unknown, name: 'small' },
      { ...unknown, name: 'unlisted', readsImages: true },
    ],
  });
});

it('A model that does not exist is BAD_INPUT that names the existing ones, and one that has disappeared can stay', async () => {
  const models = ['large', 'small'];
  const provider = await providerListing((response) =>
    listed(models.map((id) => ({ id })))(response),
  );
  const app = await appWith({ MODEL_BASE_URL: provider.baseUrl, MODEL_DEFAULT: 'large' });
  const { graph } = await someone(app);
  const create = await graph(
    'mutation { createAssistant(input: { name: "A", model: "lrage" }) { assistant { id } } }',
  );
  expect(create.errors[0]).toMatchObject({
    message: 'model must be one of the models that exist here: atrium-extractive, large, small',
    extensions: { code: 'BAD_INPUT', errors: [{ code: 'UNKNOWN_VALUE' }] },
  });
  const id = await assistantOf({ graph }, { model: 'small' });
  await app.database.prisma.assistant.update({ where: { id }, data: { model: 'gone' } });
  const update = async (model: string) => {
    const { data, errors } = await graph(
      'mutation ($id: ID!, $model: String) { updateAssistant(input: { assistantId: $id, name: "B", model: $model }) { assistant { model } } }',
      { id, model },
    );
    return errors[0]?.extensions?.code ?? Object(data?.['updateAssistant']).assistant;
  };
  expect(await update('gone')).toEqual({ model: 'gone' });
  expect(await update('other')).toBe('BAD_INPUT');
  expect(await update('atrium-extractive')).toEqual({ model: 'atrium-extractive' });
  expect(await update('gone')).toBe('BAD_INPUT');
});

it('While a provider does not list its models, their names are accepted, and those of other providers are checked', async () => {
  const silent = await providerListing((response) => response.writeHead(404).end());
  const main = await providerListing(['large']);
  const app = await appWith({
    MODEL_BASE_URL: main.baseUrl,
    MODEL_DEFAULT: 'large',
    MODEL_PROVIDERS: JSON.stringify({ silent: { baseUrl: silent.baseUrl } }),
  });
  const { graph } = await someone(app);
  const { data } = await graph('{ models { isComplete available { name } } }');
  expect(data?.['models']).toEqual({
    isComplete: false,
    available: [{ name: 'atrium-extractive' }, { name: 'large' }],
  });
  await assistantOf({ graph }, { model: 'silent/anything' });
  await expect(assistantOf({ graph }, { model: 'anything' })).rejects.toThrow('BAD_INPUT');
});

it('Requests for the list share one call of the provider', async () => {
  const provider = await providerListing(['large']);
  const app = await appWith({ MODEL_BASE_URL: provider.baseUrl, MODEL_DEFAULT: 'large' });
  const { graph } = await someone(app);
  await Promise.all(Array.from({ length: 5 }, () => graph(available)));
  await graph(available);
  expect(provider.listRequests()).toBe(1);
});
