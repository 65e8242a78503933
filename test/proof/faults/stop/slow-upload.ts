import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export type SlowUpload = {
  hash: string;
  name: string;
  status?: number;
  id?: string;
  fault?: string;
};

const boundary = 'a-boundary-of-the-proof';
const pieceMs = 50;

/**
 * Uploads a file over `ms` milliseconds, a piece every 50 ms. The server cuts off only uploads that
 * are far slower.
 */
export async function uploadSlowly(
  address: string,
  key: string,
  { name, bytes, ms }: { name: string; bytes: number; ms: number },
): Promise<SlowUpload> {
  const content = Buffer.from(randomBytes(bytes / 2).toString('hex'));
  const upload: SlowUpload = { name, hash: createHash('sha256').update(content).digest('hex') };
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    connection: 'close',
  };
  const outgoing = request(address, { method: 'POST', headers });
  const answered = new Promise<void>((resolve) => {
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      upload.fault = error.code ?? error.message;
      resolve();
    });
    outgoing.once('response', async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      upload.status = answer.statusCode ?? 0;
      if (answer.statusCode === 200) upload.id = JSON.parse(text).file.id;
      resolve();
    });
  });
  outgoing.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`,
  );
  const pieces = Math.ceil(ms / pieceMs);
  const pieceBytes = Math.ceil(content.length / pieces);
  for (
    let at = 0;
    at < content.length && upload.fault === undefined && upload.status === undefined;
    at += pieceBytes
  ) {
    outgoing.write(content.subarray(at, at + pieceBytes));
    await pause(pieceMs);
  }
  if (!outgoing.destroyed) outgoing.end(`\r\n--${boundary}--\r\n`);
  await answered;
  return upload;
}
