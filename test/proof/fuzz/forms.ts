import fc from 'fast-check';

const texts: readonly [fileName: string, type: string, content: string][] = [
  ['canteen.txt', 'text/plain', 'Lunch is served in the canteen from 11:30 to 13:45.\n'],
  ['Größe 東京.md', 'text/markdown', '# Sizes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'],
  ['prices.csv', 'text/csv', 'name;price\nTea;2,50\nCoffee;3,20\n'],
  ['data.json', 'application/json', '{"a":[1,2,{"b":null}]}'],
  [
    'page.html',
    'text/html',
    '<html><body><h1>Title</h1><p>Text<script>alert(1)</script></p></body></html>',
  ],
  [
    'mail.eml',
    'message/rfc822',
    'From: a@example.com\r\nTo: b@example.com\r\nSubject: Hello\r\n\r\nHow are you?\r\n',
  ],
];
// The signatures by which file readers recognize a format, followed by random bytes.
const fileSignatures = [
  '%PDF-1.7\n',
  'PK\x03\x04',
  '\xd0\xcf\x11\xe0',
  '\xff\xfe',
  '\xef\xbb\xbf',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '{"a":',
  'GIF89a',
];

/**
 * Readable files and some unreadable ones. An upload of either must succeed, because files are
 * processed later.
 */
export const fileContents: fc.Arbitrary<{
  fileName: string;
  type: string;
  content: Uint8Array;
}> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...texts)
      .map(([fileName, type, content]) => ({ fileName, type, content: Buffer.from(content) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...fileSignatures), fc.uint8Array({ minLength: 1, maxLength: 3_000 }))
      .map(([beginning, rest]) => ({
        fileName: 'noise.bin',
        type: 'application/octet-stream',
        content: Buffer.concat([Buffer.from(beginning, 'latin1'), rest]),
      })),
  },
);
