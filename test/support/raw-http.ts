import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';

type WireAnswer = { status: number; head: string; headers: Map<string, string>; body: string };

/** Writes to a new connection and returns every response until the server closes it. */
export async function sendRaw(
  port: number,
  ...chunks: (string | Buffer)[]
): Promise<{ text: string; answers: WireAnswer[] }> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  await once(socket, 'connect');
  for (const chunk of chunks) socket.write(chunk);
  await once(socket, 'end');
  socket.destroy();
  const text = Buffer.concat(received).toString('latin1');
  return { text, answers: text.split(/(?=HTTP\/1\.1 \d{3} )/).map(parseResponse) };
}

function parseResponse(text: string): WireAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(first.split(' ')[1]), head, headers, body: rest.join('\r\n\r\n') };
}

/** Runs curl and returns the status, the body and its verbose output. */
export async function curl(
  ...parameters: string[]
): Promise<{ status: number; text: string; heads: string }> {
  const { stdout, stderr } = await promisify(execFile)('curl', [
    '--silent',
    '--verbose',
    '--max-time',
    '60',
    '--write-out',
    '\n%{http_code}',
    ...parameters,
  ]);
  const at = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(at + 1)), text: stdout.slice(0, at), heads: stderr };
}
