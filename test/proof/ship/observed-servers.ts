import { setTimeout as pause } from 'node:timers/promises';
import { type ModelProvider, modelProvider } from '../../support/model-provider.ts';
import { type RunningServer, start, temporaryDirectory } from '../../support/process.ts';
import { receiver } from '../../support/vault.ts';

export const token = 'a-token-for-prometheus';
export const secret = 'a-secret-between-the-parts';

/**
 * Starts API, vault and vector database with a demo workspace, a model provider and a receiver of
 * heartbeats, so that every metric has values.
 */
export async function startObservedServers(settings: Record<string, string> = {}) {
  const directory = temporaryDirectory();
  const provider: ModelProvider = await modelProvider(() => ({ text: 'Hello.' }));
  const heartbeatReceiver = await receiver((_, response) => response.end());
  const vectorDb = await start({ DATA_DIR: `${directory.path}/vectors`, VAULT_SECRET: secret }, [
    'vector-db',
  ]);
  const vaultSettings = {
    DATA_DIR: `${directory.path}/vault`,
    VAULT_SECRET: secret,
    VECTOR_DB_URL: vectorDb.address,
    HEARTBEAT_URL: `${heartbeatReceiver.url}/beat`,
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
  const servers: RunningServer[] = [api, vault, vectorDb];
  const key = /admin .* key (sk_svc_\w+)/.exec(api.output())?.[1] ?? '';
  const authorization = `Bearer ${key}`;
  const sendRequest = (path: string, body?: unknown) =>
    fetch(api.address + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    api: api.address,
    vault: vault.address,
    /** Sends one request of each kind, including refused ones. */
    async traffic(): Promise<void> {
      const listed = await sendRequest('/api/assistants/v1/');
      const text = await listed.text();
      const assistant = /"id":"([^"]+)","name":"Handbook"/.exec(text)?.[1];
      await sendRequest(`/api/assistants/v1/${assistant}/run`, {
        messages: [{ role: 'user', content: 'How much is the meal allowance?' }],
      });
      await sendRequest('/graphql', { query: '{ assistants { nodes { name } } }' });
      await sendRequest('/api/assistants/v1/none/run', { messages: [] });
      await fetch(`${vault.address}/health`);
    },
    /** Sends more requests than the limit of a key allows. */
    async exceedLimit(): Promise<void> {
      const headers = { authorization: `Bearer ${/sk_svc_um_\w+/.exec(api.output())?.[0]}` };
      for (let calls = 0; calls < 5; calls += 1)
        await fetch(`${api.address}/api/user-management/v1/users`, { headers });
    },
    /** Waits until all files of the workspace are processed. */
    async waitUntilProcessed(): Promise<void> {
      for (let tries = 0; tries < 300; tries += 1) {
        const metrics = await scrape(api.address, token);
        if (/^atrium_files_processed_total\{[^}]*outcome="completed"[^}]*\} [4-9]/m.test(metrics))
          return;
        await pause(200);
      }
      throw new Error('the files of the handbook were not processed');
    },
    async stop(): Promise<void> {
      for (const server of servers) {
        server.process.kill('SIGKILL');
        await server.ended;
      }
      await provider.close();
      await heartbeatReceiver.stop();
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
