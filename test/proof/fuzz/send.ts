import { Agent, request } from 'node:http';

/** A request as it goes out. */
export type Ask = {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: Uint8Array;
};
export type Got = { status: number; headers: Headers; body: Buffer; ms: number };

/** No answer: how long it took until that was known, and what became of the connection. */
export type Lost = { lost: string; ms: number };

export const hangMs = 5_000;
const givenUpMs = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function send(origin: string, { method, path, headers, body }: Ask): Promise<Got | Lost> {
  const { hostname, port } = new URL(origin);
  const startedAt = performance.now();
  const took = () => performance.now() - startedAt;
  return new Promise((resolve) => {
    const sent = request({
      hostname,
      port,
      agent,
      method,
      path,
      headers: { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) },
    });
    const giveUp = setTimeout(() => sent.destroy(new Error('given up')), givenUpMs);
    const settle = (outcome: Got | Lost) => {
      clearTimeout(giveUp);
      resolve(outcome);
    };
    sent.on('error', (error) => settle({ lost: error.message, ms: took() }));
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      settle({ lost: `upgraded with ${response.statusCode}`, ms: took() });
    });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => settle({ lost: `cut off: ${error.message}`, ms: took() }));
      response.on('end', () => {
        const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        settle({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          body: Buffer.concat(chunks),
          ms: took(),
        });
      });
    });
    sent.end(body);
  });
}

const shownBytesMax = 600;
const shownCharactersMax = 1_200;

/** A command that sends the same again. */
export function curlOf(origin: string, { method, path, headers, body }: Ask): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const given = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `-H ${quoted(`${name}: ${value}`)}`),
  );
  const bytes = body && Buffer.from(body).subarray(0, shownBytesMax).toString('base64');
  const from =
    bytes === undefined
      ? ''
      : `base64 -d <<< ${bytes} ${(body?.length ?? 0) > shownBytesMax ? '(its beginning) ' : ''}| `;
  const command = `${from}curl -i --path-as-is -X ${method} ${given.join(' ')} ${body ? '--data-binary @- ' : ''}${quoted(origin + path)}`;
  return command.length > shownCharactersMax
    ? `${command.slice(0, shownCharactersMax)} … (cut off here)`
    : command;
}
