import { expect, it } from 'vitest';
import { testApp } from '../../support/app.ts';
import { personIn } from '../../support/assistants.ts';

const query = '{ models { usual providers } }';
const MODEL_PROVIDERS = JSON.stringify({
  near: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a secret of the test' },
  far: { baseUrl: 'http://127.0.0.1:9/v1' },
});

it.each([
  ['the built-in one where there is no provider', {}, 'atrium-extractive', []],
  [
    'the one that is set',
    { MODEL_PROVIDERS, MODEL_DEFAULT: 'near/large' },
    'near/large',
    ['near', 'far'],
  ],
  [
    'the built-in one where no provider is the usual one',
    { MODEL_PROVIDERS },
    'atrium-extractive',
    ['near', 'far'],
  ],
])(
  'people are told which model answers where an assistant names none: %s; and never how it is reached',
  async (_, settings, usual, providers) => {
    const app = await testApp(settings);
    try {
      const organization = await app.organization();
      const { graph } = await personIn(app, organization);
      const { data, answer } = await graph(query);
      expect(data).toEqual({ models: { usual, providers } });
      expect(answer.text).not.toMatch(/secret|127\.0\.0\.1/);
      expect((await app.graph(organization.key, query)).errors[0]?.extensions?.code).toBe(
        'FORBIDDEN',
      );
    } finally {
      await app.close();
    }
  },
);
