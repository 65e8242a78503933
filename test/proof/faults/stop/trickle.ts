import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export type Trickled = { hash: string; name: string; status?: number; id?: string; fault?: string };

const boundary = 'a-boundary-of-the-proof';
const pieceMs = 50;

/**
 * An upload that takes so long: some of it every 50 ms, far faster than what the server cuts off as
 * too slow.
 */
export async function trickleUpload(
  address: string,
  key: string,
  { name, bytes, ms }: { name: string; bytes: number; ms: number },
): Promise<Trickled> {
  const content = Buffer.from(randomBytes(bytes / 2).toString('hex'));
  const upload: Trickled = { name, hash: createHash('sha256').update(content).digest('hex') };
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    connection: 'close',
  };
  const asked = request(address, { method: 'POST', headers });
  const answered = new Promise<void>((resolve) => {
    asked.once('error', (error: NodeJS.ErrnoException) => {
      upload.fault = error.code ?? error.message;
      resolve();
    });
    asked.once('response', async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      upload.status = answer.statusCode ?? 0;
      if (answer.statusCode === 200) upload.id = JSON.parse(text).file.id;
      resolve();
    });
  });
  asked.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`,
  );
  const pieces = Math.ceil(ms / pieceMs);
  const pieceBytes = Math.ceil(content.length / pieces);
  for (
    let at = 0;
    at < content.length && upload.fault === undefined && upload.status === undefined;
    at += pieceBytes
  ) {
    asked.write(content.subarray(at, at + pieceBytes));
    await pause(pieceMs);
  }
  if (!asked.destroyed) asked.end(`\r\n--${boundary}--\r\n`);
  await answered;
  return upload;
}
