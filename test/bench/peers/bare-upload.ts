import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * As little as a server can do with an upload: its bytes go into a file as they come. No key, no
 * form, no hash, no flush.
 */
const file = join(process.env['DATA_DIR'] ?? '', 'bare-upload');

createServer({ requestTimeout: 0 }, (request, response) => {
  pipeline(request, createWriteStream(file)).then(
    () => response.end('done'),
    () => response.destroy(),
  );
}).listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
