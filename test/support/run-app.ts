import { testApp } from './app.ts';
import { assistantOf, personIn } from './assistants.ts';
import { modelProvider } from './model-provider.ts';
import { createProcessedFile, searchVaultStub } from './search-vault-stub.ts';
import { serveApp } from './serve-app.ts';

/**
 * The application behind a socket, with a model provider and a vault. A member of an organization
 * has an assistant with one file, handbook.pdf.
 */
export async function runApp(settings: Record<string, string> = {}) {
  const provider = await modelProvider(() => ({ text: 'Hello.' }));
  const vault = await searchVaultStub();
  const app = await testApp(
    {
      USER_KEY_LIMIT: '100000',
      MODEL_BASE_URL: provider.baseUrl,
      MODEL_API_KEY: 'k',
      MODEL_DEFAULT: 'large',
      ...settings,
    },
    { vault: vault.client },
  );
  const organization = await app.organization();
  const owner = await personIn(app, organization);
  const assistantId = await assistantOf(owner, { name: 'Handbook', instructions: 'Be brief.' });
  const handbook = await createProcessedFile(app, organization, assistantId, 'handbook.pdf');
  const text = 'Employees get 30 days of vacation. Sick notes are due on the third day.';
  vault.put(assistantId, [{ document: handbook, text, page: 3, start: 100 }]);
  const server = await serveApp(app);
  return {
    ...{ provider, vault, app, organization, owner, assistantId, handbook, url: server.url },
    /** The model searches the files, and then gives this answer. */
    searchThenAnswer(answer: string, first: { reasoning?: string; text?: string } = {}) {
      provider.now((_, call) =>
        call === 1
          ? { ...first, toolCalls: [{ name: 'search_knowledge', input: { query: 'vacation' } }] }
          : { text: answer },
      );
    },
    async close() {
      server.close();
      await app.close();
      vault.client.close();
      await vault.stop();
      await provider.close();
    },
  };
}

export type RunApp = Awaited<ReturnType<typeof runApp>>;
