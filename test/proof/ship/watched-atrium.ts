import { setTimeout as wait } from 'node:timers/promises';
import { type ModelProvider, modelProvider } from '../../support/model-provider.ts';
import { type Running, start, temporaryDirectory } from '../../support/process.ts';
import { receiver } from '../../support/vault.ts';

export const token = 'a-token-for-prometheus';
export const secret = 'a-secret-between-the-parts';

/**
 * The whole program with a demo workspace, a model and somebody who takes heartbeats: everything
 * that has figures to tell.
 */
export async function watchedAtrium(settings: Record<string, string> = {}) {
  const directory = temporaryDirectory();
  const provider: ModelProvider = await modelProvider(() => ({ text: 'Hello.' }));
  const beats = await receiver((_, response) => response.end());
  const vectorDb = await start({ DATA_DIR: `${directory.path}/vectors`, VAULT_SECRET: secret }, [
    'vector-db',
  ]);
  const vaultSettings = {
    DATA_DIR: `${directory.path}/vault`,
    VAULT_SECRET: secret,
    VECTOR_DB_URL: vectorDb.address,
    HEARTBEAT_URL: `${beats.url}/beat`,
  };
  const vault = await start(vaultSettings, ['vault']);
  const api = await start(
    {
      DATA_DIR: `${directory.path}/api`,
      VAULT_URL: vault.address,
      VAULT_SECRET: secret,
      METRICS_TOKEN: token,
      MODEL_BASE_URL: provider.baseUrl,
      MODEL_DEFAULT: 'large',
      ORGANIZATION_KEY_LIMIT: '3',
      ...settings,
    },
    ['api'],
  );
  const parts: Running[] = [api, vault, vectorDb];
  const key = /admin .* key (sk_svc_\w+)/.exec(api.output())?.[1] ?? '';
  const authorization = `Bearer ${key}`;
  const ask = (path: string, body?: unknown) =>
    fetch(api.address + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    api: api.address,
    vault: vault.address,
    /** One of each kind of request, also such that are refused. */
    async traffic(): Promise<void> {
      const listed = await ask('/api/assistants/v1/');
      const text = await listed.text();
      const assistant = /"id":"([^"]+)","name":"Handbook"/.exec(text)?.[1];
      await ask(`/api/assistants/v1/${assistant}/run`, {
        messages: [{ role: 'user', content: 'How much is the meal allowance?' }],
      });
      await ask('/graphql', { query: '{ assistants { name } }' });
      await ask('/api/assistants/v1/none/run', { messages: [] });
      await fetch(`${vault.address}/health`);
    },
    /** More than the limit of a key allows. */
    async tooMuch(): Promise<void> {
      const headers = { authorization: `Bearer ${/sk_svc_um_\w+/.exec(api.output())?.[0]}` };
      for (let calls = 0; calls < 5; calls += 1)
        await fetch(`${api.address}/api/user-management/v1/users`, { headers });
    },
    /** When all files of the workspace have been read. */
    async settled(): Promise<void> {
      for (let tries = 0; tries < 300; tries += 1) {
        const figures = await scrape(api.address, token);
        if (/^atrium_files_processed_total\{[^}]*outcome="completed"[^}]*\} [4-9]/m.test(figures))
          return;
        await wait(200);
      }
      throw new Error('the files of the handbook were not read');
    },
    async stop(): Promise<void> {
      for (const part of parts) {
        part.process.kill('SIGKILL');
        await part.ended;
      }
      await provider.close();
      await beats.stop();
      directory.remove();
    },
  };
}

export async function scrape(address: string, bearer: string): Promise<string> {
  const response = await fetch(`${address}/metrics`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  if (response.status !== 200) throw new Error(`${address}/metrics answered ${response.status}`);
  return response.text();
}
