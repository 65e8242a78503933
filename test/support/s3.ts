import { once } from 'node:events';
import { createServer } from 'node:http';
import S3rver from 's3rver';
import { temporaryDirectory } from './process.ts';

/**
 * A bucket for one test, in a server that supports the S3 protocol over HTTP. `settings` are those
 * of the server.
 */
export async function testBucket() {
  const directory = temporaryDirectory();
  const bucket = 'atrium-test';
  const s3 = new S3rver({
    directory: directory.path,
    silent: true,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  await s3.configureBuckets();
  const answer = s3.callback();
  const aborted: string[] = [];
  const server = createServer((request, response) => {
    const uploadId = new URL(request.url ?? '', 'http://s3.test').searchParams.get('uploadId');
    if (request.method !== 'DELETE' || uploadId === null) return answer(request, response);
    // The server supports multipart uploads except for aborting them.
    aborted.push(uploadId);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    settings: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    directory: directory.path,
    /** The ids of aborted multipart uploads. */
    aborted,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      directory.remove();
    },
  };
}
