import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { listen, servedPart } from '../../src/platform/server.ts';

it('a server that is closed answers all who had connected, though a turn of the loop takes one of them', async () => {
  const server = createServer((_, response) => response.end('answered'));
  const port = Number(new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 })).port);
  const close = vi.fn(async () => undefined);
  const part = servedPart(server, { stop: () => undefined, close });
  const answers = Array.from({ length: 50 }, async () => {
    const asked = request({ host: '127.0.0.1', port, agent: false });
    asked.end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    return answer.statusCode;
  });
  // By then the system has taken the connections, and the server hardly any.
  await new Promise(setImmediate);
  await part.close();
  expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  expect(close).toHaveBeenCalledOnce();
});

it('a server that is closed does not wait for a connection that has asked for nothing', async () => {
  // Nothing else ends what is silent.
  const server = createServer(
    { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 },
    (_, response) => response.end('answered'),
  );
  const port = Number(new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 })).port);
  const part = servedPart(server, { stop: () => undefined, close: async () => undefined });
  const [accepted, silent] = [once(server, 'connection'), connect(port, '127.0.0.1')];
  await accepted;
  const ended = once(silent, 'close');
  await part.close();
  await ended;
});
