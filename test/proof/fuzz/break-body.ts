import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { boundary } from '../../support/files.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { HttpRequest } from './send.ts';

/** Bodies that JSON.stringify never writes. */
const oddJson = [
  '',
  ' ',
  '{',
  '}',
  'null',
  'true',
  '"text"',
  '[]',
  '{}',
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '{"name":1e400,"durationMonths":-1e400}',
  '{"durationMonths":-0,"billingAmount":-0}',
  '{"durationMonths":9223372036854775808,"maxRedemptions":18446744073709551616}',
  '{"email":"a@example.com","email":"b@example.com"}',
  '{"__proto__":{"isAdmin":true},"email":"c@example.com"}',
  '{"name":"\\ud800","email":"\\udc00@example.com"}',
  '{"name":"\\u0000"}',
  '{"name":"\t"}',
  '\ufeff{"name":"x"}',
  '{"name":"x"}{"name":"y"}',
  '{"name":"x"} // why',
  '\\',
  `${'['.repeat(100_000)}`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"name":"${'x'.repeat(1_048_000)}"}`,
  `{"name":"${'x'.repeat(1_048_576)}"}`,
  `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":${index}`).join()}}`,
];

const malformedForms = (edge: string) => [
  '',
  '--',
  `--${edge}`,
  `--${edge}--\r\n`,
  `--${edge}\r\n\r\n--${edge}--\r\n`,
  `--${edge}\r\ncontent-disposition: form-data\r\n\r\nx\r\n--${edge}--\r\n`,
  `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nno end`,
  `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n\r\n--${edge}--\r\n`,
  `--${edge}\r\ncontent-disposition: form-data; name="file"\r\n\r\nnot a file\r\n--${edge}--\r\n`,
  `--${edge}\r\ncontent-disposition: form-data; name="messages"\r\n\r\n[{]\r\n--${edge}--\r\n`,
  `--${edge}\r\ncontent-disposition: form-data; name="messages"\r\n\r\n${'['.repeat(50_000)}\r\n--${edge}--\r\n`,
  `--${edge}\r\ncontent-type: multipart/mixed; boundary=inner\r\ncontent-disposition: form-data; name="file"\r\n\r\n--inner\r\n\r\nx\r\n--inner--\r\n--${edge}--\r\n`,
  `--${edge}\r\n${'x-filler: y\r\n'.repeat(5_000)}\r\nx\r\n--${edge}--\r\n`,
  `--${edge}\ncontent-disposition: form-data; name="file"; filename="a.txt"\n\nbare feeds\n--${edge}--\n`,
  `--${edge}\r\ncontent-disposition: form-data; name="file"; filename*=utf-8''%ff%00.txt\r\ncontent-transfer-encoding: base64\r\n\r\neA==\r\n--${edge}--\r\n`,
  `${Array.from({ length: 300 }, (_, index) => `--${edge}\r\ncontent-disposition: form-data; name="f${index}"\r\n\r\nx\r\n`).join('')}--${edge}--\r\n`,
  `${Array.from({ length: 120 }, () => `--${edge}\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nx\r\n`).join('')}--${edge}--\r\n`,
];
const oddForms = malformedForms(boundary);

/** Replaces a body, changes or cuts its bytes, compresses it or gives it another content type. */
export function breakBody(
  random: SeededRandom,
  request: HttpRequest,
  body: Uint8Array,
): HttpRequest {
  const isForm = String(request.headers['content-type']).startsWith('multipart/');
  switch (random.below(6)) {
    case 0:
      return { ...request, body: body.subarray(0, random.below(body.length + 1)) };
    case 1:
      return { ...request, body: corruptBytes(random, body) };
    case 2:
      return {
        ...request,
        headers: { ...request.headers, 'content-encoding': 'gzip' },
        body: gzipSync(body),
      };
    case 3:
      return random.pick([
        {
          ...request,
          headers: { ...request.headers, 'content-encoding': 'br' },
          body: brotliCompressSync(body),
        },
        {
          ...request,
          headers: { ...request.headers, 'content-encoding': 'deflate' },
          body: deflateSync(body),
        },
        {
          ...request,
          headers: { ...request.headers, 'content-type': 'application/json; charset=utf-16' },
          body: Buffer.from(Buffer.from(body).toString(), 'utf16le'),
        },
      ]);
    default:
      return { ...request, body: Buffer.from(random.pick(isForm ? oddForms : oddJson)) };
  }
}

/** Changes, removes or repeats some bytes. */
export function corruptBytes(random: SeededRandom, bytes: Uint8Array): Uint8Array {
  const changed = [...bytes.subarray(0, 20_000)];
  const count = 1 + random.below(6);
  for (let change = 0; change < count && changed.length > 0; change += 1) {
    const at = random.below(changed.length);
    const byte = random.pick([0, 10, 13, 32, 34, 58, 92, 127, 128, 192, 255, random.below(256)]);
    if (random.percent(40)) changed[at] = byte;
    else if (random.percent(50)) changed.splice(at, 1 + random.below(4));
    else changed.splice(at, 0, byte, ...changed.slice(at, at + random.below(8)));
  }
  return Uint8Array.from(changed);
}
