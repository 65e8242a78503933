import type { Piece } from './socket.ts';

/**
 * Something that is no HTTP, or no honest one; so many answers at most, and of these `statuses`
 * where it matters. Where a server refuses before it has read a body, what is wrong with that body
 * is a second answer.
 */
export type RawCase = {
  name: string;
  pieces: readonly Piece[];
  answersMax?: number;
  statuses?: readonly number[];
  resets?: boolean;
};

export type Door = {
  path: string;
  head: string;
  write: { method: string; path: string; type: string; body: string };
};

const headOf = (door: Door, more = '', first = `GET ${door.path} HTTP/1.1`) =>
  `${first}\r\nHost: atrium.example\r\n${door.head}${more}\r\n`;
const refused = { statuses: [400], answersMax: 1 };

/** Every server of ours meets all of these. */
export function rawCases(door: Door): RawCase[] {
  const { write } = door;
  const post = (more: string, body: string) =>
    `${write.method} ${write.path} HTTP/1.1\r\nHost: atrium.example\r\n${door.head}Content-Type: ${write.type}\r\n${more}\r\n${body}`;
  const whole = post(`Content-Length: ${Buffer.byteLength(write.body)}\r\n`, write.body);
  const hidden = headOf(door);
  const chunked = (chunks: string) => post('Transfer-Encoding: chunked\r\n', chunks);
  const honestChunk = `${Buffer.byteLength(write.body).toString(16)}\r\n${write.body}\r\n0\r\n\r\n`;
  const first = (line: string, more = ''): RawCase => ({
    name: `begins with ${line.slice(0, 40)}`,
    pieces: [Buffer.from(headOf(door, more, line), 'latin1')],
    answersMax: 1,
  });
  const header = (line: string, expected: Partial<RawCase> = {}): RawCase => ({
    name: `has the header ${line.slice(0, 50)}`,
    pieces: [Buffer.from(headOf(door, `${line}\r\n`), 'latin1')],
    answersMax: 1,
    ...expected,
  });
  const host = (value: string): RawCase => ({
    name: `names the host ${value.slice(0, 30)}`,
    pieces: [
      Buffer.from(`GET ${door.path} HTTP/1.1\r\nHost: ${value}\r\n${door.head}\r\n`, 'latin1'),
    ],
    answersMax: 1,
  });
  return [
    { name: 'says nothing and ends', pieces: [''], answersMax: 1 },
    { name: 'says no HTTP', pieces: ['hello\r\n\r\n'], ...refused },
    { name: 'speaks HTTP/0.9', pieces: ['GET /\r\n'], ...refused },
    {
      name: 'speaks HTTP/2 at once',
      pieces: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
      ...refused,
    },
    { name: 'speaks TLS', pieces: [Buffer.from('160301020001000001fc0303', 'hex')], ...refused },
    {
      name: 'is noise',
      pieces: [Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 131) % 256))],
      ...refused,
    },
    first('GET  /  HTTP/1.1'),
    first('get / HTTP/1.1'),
    first('FOO / HTTP/1.1'),
    first('GET / HTTP/9.9'),
    first('GET / HTTP/1.1 more'),
    first(`GET ${door.path}\0 HTTP/1.1`),
    first(`GET ${door.path}\x7f\xff HTTP/1.1`),
    first('GET \xc3\xa4 HTTP/1.1'),
    first(`GET http://elsewhere.example${door.path} HTTP/1.1`),
    first('GET http:// HTTP/1.1'),
    first('GET http://[::1 HTTP/1.1'),
    first('GET http://a:b@c:99999/ HTTP/1.1'),
    first('GET ftp://elsewhere.example/ HTTP/1.1'),
    first('GET javascript:alert(1) HTTP/1.1'),
    first('GET //elsewhere.example/path HTTP/1.1'),
    first('GET /// HTTP/1.1'),
    first('GET //[ HTTP/1.1'),
    first('GET //:0/ HTTP/1.1'),
    first('GET /\\..\\..\\ HTTP/1.1'),
    first('GET /../../../../etc/passwd HTTP/1.1'),
    first('GET /%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1'),
    first('GET /%00 HTTP/1.1'),
    first('GET ? HTTP/1.1'),
    first('GET ?a=b HTTP/1.1'),
    first('GET # HTTP/1.1'),
    first('GET /#a HTTP/1.1'),
    first('GET /?%zz=%ff&&&=== HTTP/1.1'),
    first('GET * HTTP/1.1'),
    first('OPTIONS * HTTP/1.1'),
    first('CONNECT elsewhere.example:443 HTTP/1.1'),
    first('CONNECT / HTTP/1.1'),
    first('TRACE / HTTP/1.1'),
    first('GET / HTTP/1.0'),
    first(`GET /${'a'.repeat(70_000)} HTTP/1.1`),
    ...[
      '',
      'a b',
      '[',
      '[::1',
      'a:b:c',
      '%',
      '\xff',
      'x'.repeat(5_000),
      'user:pass@host',
      'host/path',
      'host?x#y',
      '..',
      '0x7f.1',
      'xn--',
      '<script>',
      'host:0',
      'host:99999',
      'a,b',
      "a'b",
      '{}',
      '^',
      '|',
    ].map(host),
    {
      name: 'names no host',
      pieces: [`GET ${door.path} HTTP/1.1\r\n${door.head}\r\n`],
      ...refused,
    },
    header('Host: second.example', refused),
    header('X-Odd : blank before the colon', refused),
    header('X Odd: blank in the name', refused),
    header('X-\xe4: letter', refused),
    header('X-Nul: a\0b', refused),
    header('X-Fold: a\r\n b'),
    header('X-Feed: a\nX-Other: b'),
    header('X-Return: a\rX-Other: b'),
    header(': no name', refused),
    header('no colon', refused),
    header('__proto__: x'),
    header('constructor: x'),
    header(`X-Long: ${'x'.repeat(100_000)}`, { statuses: [431] }),
    header(Array.from({ length: 1_500 }, (_, at) => `a${at}: b`).join('\r\n'), { statuses: [431] }),
    header(`Cookie: ${'a=b; '.repeat(2_000)}`),
    header('Cookie: \xff\xfe=\x80'),
    header('Authorization: Bearer \xff\xfe'),
    header('Accept: \x80\xff'),
    header('Range: bytes=0-\xff'),
    header('Expect: 100-continue'),
    header('Expect: nonsense', { statuses: [417] }),
    header(
      'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13',
    ),
    header(
      'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    ),
    header('Connection: close, keep-alive, host'),
    header('Keep-Alive: timeout=-1, max=99999999999'),
    header('Content-Length: 0'),
    header('X-Forwarded-For: \xff, [, ::::'),
    ...[
      '-1',
      '+5',
      '5, 5',
      '5, 6',
      '0x5',
      '5 5',
      '1e3',
      '',
      '99999999999999999999',
      '9007199254740993',
    ].map((length) => ({
      name: `is ${length} long`,
      pieces: [post(`Content-Length: ${length}\r\n`, 'hello'), ''],
      answersMax: 2,
    })),
    {
      name: 'has two lengths',
      pieces: [post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!')],
      ...refused,
    },
    {
      name: 'hides a request by length and chunks',
      pieces: [
        post(
          `Content-Length: ${5 + hidden.length}\r\nTransfer-Encoding: chunked\r\n`,
          `0\r\n\r\n${hidden}`,
        ),
      ],
      ...refused,
    },
    {
      name: 'hides a request by chunks and length',
      pieces: [post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `5c\r\n${hidden}`)],
      ...refused,
    },
    ...[
      'xchunked',
      'chunked, identity',
      'identity',
      'chunked\x0b',
      '\x0bchunked',
      'chunked;q=1',
      'gzip',
      'chunked, chunked',
      ', chunked',
    ].map((coding) => ({
      name: `is coded ${JSON.stringify(coding)}`,
      pieces: [post(`Transfer-Encoding: ${coding}\r\n`, `0\r\n\r\n${hidden}`)],
      // A server that stops reading where the body ends answers both; it must not answer what a
      // proxy takes for a body.
      answersMax: 2,
    })),
    {
      name: 'is chunked twice',
      pieces: [
        post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${hidden}`),
      ],
      answersMax: 2,
    },
    { name: 'is honestly chunked', pieces: [chunked(honestChunk)], answersMax: 1 },
    ...[
      '-1\r\nx\r\n0\r\n\r\n',
      'FFFFFFFFFFFFFFFFF\r\nx',
      'x\r\n',
      '5\r\nhello0\r\n\r\n',
      '5\r\nhell\r\n0\r\n\r\n',
      '3\r\nhello\r\n0\r\n\r\n',
      '\r\n\r\n',
      ' 5\r\nhello\r\n0\r\n\r\n',
      '5 \r\nhello\r\n0\r\n\r\n',
      '0x5\r\nhello\r\n0\r\n\r\n',
      '5\nhello\n0\n\n',
    ].map((body) => ({
      name: `has the chunks ${JSON.stringify(body)}`,
      pieces: [chunked(body)],
      answersMax: 2,
    })),
    {
      name: 'has a chunk with a long extension',
      pieces: [chunked(`5;${'x'.repeat(100_000)}\r\nhello\r\n0\r\n\r\n`)],
      answersMax: 2,
    },
    {
      name: 'has ten thousand chunks of a byte',
      pieces: [chunked(`${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`)],
      answersMax: 1,
    },
    {
      name: 'has trailers that are none',
      pieces: [chunked(`${honestChunk.slice(0, -2)}Content-Length: 5\r\nAuthorization: x\r\n\r\n`)],
      answersMax: 2,
    },
    {
      name: 'has trailers without end',
      pieces: [chunked(`0\r\n${'x: y\r\n'.repeat(20_000)}`)],
      answersMax: 2,
    },
    { name: 'is shorter than it says', pieces: [whole.slice(0, -3)], answersMax: 2 },
    {
      name: 'is longer than it says',
      pieces: [whole, 'garbage that belongs to nobody\r\n\r\n'],
      answersMax: 2,
    },
    { name: 'breaks off in its head', pieces: [whole.slice(0, 30)], resets: true },
    { name: 'breaks off in its body', pieces: [whole.slice(0, -5)], resets: true },
    { name: 'breaks off before its answer', pieces: [whole], resets: true },
    {
      name: 'comes letter by letter',
      pieces: [...headOf(door)].flatMap((letter): Piece[] => [letter, { waitMs: 1 }]),
      answersMax: 1,
    },
    { name: 'comes fifty times at once', pieces: [headOf(door).repeat(50)], answersMax: 50 },
    { name: 'comes with noise behind it', pieces: [headOf(door), '\0\xff\r\n\r\n'], answersMax: 2 },
    {
      name: 'waits for leave and then sends',
      pieces: [
        post(`Content-Length: ${Buffer.byteLength(write.body)}\r\nExpect: 100-continue\r\n`, ''),
        { waitMs: 50 },
        write.body,
      ],
      answersMax: 2,
    },
    {
      name: 'is a form without end',
      pieces: [
        form(
          door,
          '--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhello',
          5_000,
        ),
      ],
      answersMax: 2,
    },
    {
      name: 'is a form that ends before its length',
      pieces: [
        form(
          door,
          '--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--edge--\r\n',
          5_000,
        ),
      ],
      answersMax: 2,
    },
    {
      name: 'is a form whose edge is another',
      pieces: [
        form(
          door,
          '--other\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--other--\r\n',
        ),
      ],
      answersMax: 1,
    },
    {
      name: 'is a form of nothing but edges',
      pieces: [form(door, '--edge\r\n'.repeat(2_000))],
      answersMax: 1,
    },
  ];
}

const form = ({ write, head }: Door, body: string, length = body.length) =>
  `POST ${write.path} HTTP/1.1\r\nHost: atrium.example\r\n${head}Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${length}\r\n\r\n${body}`;
