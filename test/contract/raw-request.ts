import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Answer } from './answer.ts';

/** Sends bytes that no HTTP client would send and reads one response. */
export async function sendRaw(url: string, bytes: string): Promise<Answer> {
  const { hostname, port, protocol } = new URL(url);
  const target = { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const socket =
    protocol === 'https:' ? connectTls({ ...target, servername: hostname }) : connect(target);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    // A response that arrived before the connection broke counts.
    socket.once('error', () => resolve());
    socket.setTimeout(15_000, () => socket.destroy());
  });
  socket.write(bytes, 'latin1');
  await ended;
  const [head = '', ...body] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Answer({
    request: bytes.slice(0, 80).replaceAll('\r\n', ' '),
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    text: body.join('\r\n\r\n'),
  });
}
