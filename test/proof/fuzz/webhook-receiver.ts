import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Workspace } from './target.ts';

/** Accepts every webhook, so that deliveries end soon. */
export async function openWebhookReceiver() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Gives an organization two endpoints, each with a delivery. */
export async function addWebhookEndpoints(
  address: string,
  { organizationKey }: Workspace,
  url: string,
): Promise<void> {
  const post = async (path: string, body?: object) => {
    const answer = await fetch(`${address}/api/events/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${organizationKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}`);
    return (await answer.json()) as { endpoint: { id: string } };
  };
  for (const types of [[], ['user.created']]) {
    const { endpoint } = await post('/endpoints', { url, types });
    await post(`/endpoints/${endpoint.id}/test`);
  }
}
