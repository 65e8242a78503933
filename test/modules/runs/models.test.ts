import { expect, it } from 'vitest';
import { testApp } from '../../support/app.ts';
import { personIn } from '../../support/assistants.ts';

const query = '{ models { usual providers } }';
const MODEL_PROVIDERS = JSON.stringify({
  near: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a secret of the test' },
  far: { baseUrl: 'http://127.0.0.1:9/v1' },
});

it.each([
  ['Without a provider, the built-in model is the default', {}, 'atrium-extractive', []],
  [
    'With MODEL_DEFAULT, that model is the default',
    { MODEL_PROVIDERS, MODEL_DEFAULT: 'near/large' },
    'near/large',
    ['near', 'far'],
  ],
  [
    'With named providers only, the built-in model is the default',
    { MODEL_PROVIDERS },
    'atrium-extractive',
    ['near', 'far'],
  ],
])(
  '%s, and the query `models` does not reveal addresses or keys',
  async (_, settings, defaultModel, providers) => {
    const app = await testApp(settings);
    try {
      const organization = await app.organization();
      const { graph } = await personIn(app, organization);
      const { data, answer } = await graph(query);
      expect(data).toEqual({ models: { usual: defaultModel, providers } });
      expect(answer.text).not.toMatch(/secret|127\.0\.0\.1/);
      expect((await app.graph(organization.key, query)).errors[0]?.extensions?.code).toBe(
        'FORBIDDEN',
      );
    } finally {
      await app.close();
    }
  },
);
