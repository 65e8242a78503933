import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ProxiedRequest = { method: string; path: string; headers: IncomingHttpHeaders };
export type ProxiedResponse = { status: number; headers: Headers; text: string };

/** A fault of a deployment: it changes the request or the response. */
export type Fault = {
  changeRequest?: (request: ProxiedRequest) => unknown;
  changeResponse?: (response: ProxiedResponse, request: ProxiedRequest) => void;
};

const hopByHopHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'];
/** fetch has decoded the body. */
const decodedHeaders = ['content-encoding'];

/** Starts a proxy in front of a correct server that breaks the contract in one way. */
export async function startFaultyServer(url: string, { changeRequest, changeResponse }: Fault) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
    };
    changeRequest?.(request);
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      hopByHopHeaders.includes(name) || value === undefined
        ? []
        : [[name, String(value)] as [string, string]],
    );
    const body = Buffer.concat(chunks);
    const answer = await fetch(url + request.path, {
      method: request.method,
      headers,
      redirect: 'manual',
      ...(body.length > 0 && { body }),
    });
    const response = {
      status: answer.status,
      headers: new Headers(answer.headers),
      text: await answer.text(),
    };
    changeResponse?.(response, request);
    outgoing.statusCode = response.status;
    for (const [name, value] of response.headers)
      if (![...hopByHopHeaders, ...decodedHeaders].includes(name))
        outgoing.appendHeader(name, value);
    outgoing.end(response.text);
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
