import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Asked = { method: string; path: string; headers: IncomingHttpHeaders };
export type Told = { status: number; headers: Headers; text: string };

/** What a faulty deployment does: it changes what is asked, or what is told. */
export type Fault = {
  asked?: (asked: Asked) => unknown;
  told?: (told: Told, asked: Asked) => void;
};

const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'];

/** Stands before a server that keeps the contract, and breaks it in one way. */
export async function startFaultyServer(url: string, { asked: change, told: falsify }: Fault) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
    };
    change?.(asked);
    const headers = Object.entries(asked.headers).flatMap(([name, value]) =>
      hopByHop.includes(name) || value === undefined
        ? []
        : [[name, String(value)] as [string, string]],
    );
    const body = Buffer.concat(chunks);
    const answer = await fetch(url + asked.path, {
      method: asked.method,
      headers,
      redirect: 'manual',
      ...(body.length > 0 && { body }),
    });
    const told = {
      status: answer.status,
      headers: new Headers(answer.headers),
      text: await answer.text(),
    };
    falsify?.(told, asked);
    response.statusCode = told.status;
    for (const [name, value] of told.headers)
      if (!hopByHop.includes(name)) response.appendHeader(name, value);
    response.end(told.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
