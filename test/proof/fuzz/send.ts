import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A request as it is sent. */
export type HttpRequest = {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: Uint8Array;
};
export type HttpAnswer = { status: number; headers: Headers; body: Buffer; ms: number };

/** A request without an answer: how its connection failed, and after how long. */
export type NoAnswer = { failure: string; ms: number };

export const hangMs = 5_000;
const timeoutMs = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function send(
  origin: string,
  { method, path, headers, body }: HttpRequest,
): Promise<HttpAnswer | NoAnswer> {
  const { hostname, port } = new URL(origin);
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  return new Promise((resolve) => {
    const outgoing = request({
      hostname,
      port,
      agent,
      method,
      path,
      headers: { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) },
    });
    const timeout = setTimeout(() => outgoing.destroy(new Error('timed out')), timeoutMs);
    const finish = (outcome: HttpAnswer | NoAnswer) => {
      clearTimeout(timeout);
      resolve(outcome);
    };
    outgoing.on('error', (error) => finish({ failure: error.message, ms: elapsedMs() }));
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      finish({ failure: `upgraded with ${response.statusCode}`, ms: elapsedMs() });
    });
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) =>
        finish({ failure: `cut off: ${error.message}`, ms: elapsedMs() }),
      );
      response.on('end', () => {
        const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        finish({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          body: decoded(Buffer.concat(chunks), response.headers['content-encoding']),
          ms: elapsedMs(),
        });
      });
    });
    outgoing.end(body);
  });
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

/** The body without its compression; an invalid one stays as it is, so that the checks refuse it. */
function decoded(body: Buffer, encoding: string | undefined): Buffer {
  try {
    return body.length > 0 ? (decoders[encoding ?? '']?.(body) ?? body) : body;
  } catch {
    return body;
  }
}

const shownBytesMax = 600;
const shownCharactersMax = 1_200;

/** A curl command that repeats the request. */
export function curlOf(origin: string, { method, path, headers, body }: HttpRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const headerFlags = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `-H ${quoted(`${name}: ${value}`)}`),
  );
  const bytes = body && Buffer.from(body).subarray(0, shownBytesMax).toString('base64');
  const input =
    bytes === undefined
      ? ''
      : `base64 -d <<< ${bytes} ${(body?.length ?? 0) > shownBytesMax ? '(its beginning) ' : ''}| `;
  const command = `${input}curl -i --path-as-is -X ${method} ${headerFlags.join(' ')} ${body ? '--data-binary @- ' : ''}${quoted(origin + path)}`;
  return command.length > shownCharactersMax
    ? `${command.slice(0, shownCharactersMax)} … (cut off here)`
    : command;
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
