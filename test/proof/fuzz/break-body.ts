import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Chance } from './chance.ts';
import { boundary } from './forms.ts';
import type { Ask } from './send.ts';

/** What JSON.stringify never writes. */
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

const forms = (edge: string) => [
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
const oddForms = forms(boundary);

/** Other bytes where a body was, or the same ones changed, cut, packed or called something else. */
export function breakBody(chance: Chance, ask: Ask, body: Uint8Array): Ask {
  const isForm = String(ask.headers['content-type']).startsWith('multipart/');
  switch (chance.below(6)) {
    case 0:
      return { ...ask, body: body.subarray(0, chance.below(body.length + 1)) };
    case 1:
      return { ...ask, body: noisy(chance, body) };
    case 2:
      return {
        ...ask,
        headers: { ...ask.headers, 'content-encoding': 'gzip' },
        body: gzipSync(body),
      };
    case 3:
      return chance.pick([
        {
          ...ask,
          headers: { ...ask.headers, 'content-encoding': 'br' },
          body: brotliCompressSync(body),
        },
        {
          ...ask,
          headers: { ...ask.headers, 'content-encoding': 'deflate' },
          body: deflateSync(body),
        },
        {
          ...ask,
          headers: { ...ask.headers, 'content-type': 'application/json; charset=utf-16' },
          body: Buffer.from(Buffer.from(body).toString(), 'utf16le'),
        },
      ]);
    default:
      return { ...ask, body: Buffer.from(chance.pick(isForm ? oddForms : oddJson)) };
  }
}

/** Some bytes are others, some are missing, some are there twice. */
export function noisy(chance: Chance, bytes: Uint8Array): Uint8Array {
  const changed = [...bytes.subarray(0, 20_000)];
  const times = 1 + chance.below(6);
  for (let nth = 0; nth < times && changed.length > 0; nth += 1) {
    const at = chance.below(changed.length);
    const byte = chance.pick([0, 10, 13, 32, 34, 58, 92, 127, 128, 192, 255, chance.below(256)]);
    if (chance.percent(40)) changed[at] = byte;
    else if (chance.percent(50)) changed.splice(at, 1 + chance.below(4));
    else changed.splice(at, 0, byte, ...changed.slice(at, at + chance.below(8)));
  }
  return Uint8Array.from(changed);
}
