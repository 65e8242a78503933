import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * The minimum that a server can do with an upload: it writes the bytes to a file. It checks no key,
 * parses no form, computes no hash and does not flush.
 */
const file = join(process.env['DATA_DIR'] ?? '', 'bare-upload');

createServer({ requestTimeout: 0 }, (request, response) => {
  pipeline(request, createWriteStream(file)).then(
    () => response.end('done'),
    () => response.destroy(),
  );
}).listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
