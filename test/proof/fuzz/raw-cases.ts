import type { RawPiece } from './raw-socket.ts';

/**
 * Bytes that are not valid HTTP, with the highest number of answers and the allowed `statuses`.
 * A server that refuses a request before it reads the body may answer a second time, because it
 * takes the body for another request.
 */
export type RawCase = {
  name: string;
  pieces: readonly RawPiece[];
  answersMax?: number;
  statuses?: readonly number[];
  resets?: boolean;
};

export type RawTarget = {
  path: string;
  head: string;
  write: { method: string; path: string; type: string; body: string };
};

const headOf = (rawTarget: RawTarget, more = '', startLine = `GET ${rawTarget.path} HTTP/1.1`) =>
  `${startLine}\r\nHost: atrium.example\r\n${rawTarget.head}${more}\r\n`;
const refusal = { statuses: [400], answersMax: 1 };

/** The cases that are sent to every server. */
export function rawCases(rawTarget: RawTarget): RawCase[] {
  const { write } = rawTarget;
  const post = (more: string, body: string) =>
    `${write.method} ${write.path} HTTP/1.1\r\nHost: atrium.example\r\n${rawTarget.head}Content-Type: ${write.type}\r\n${more}\r\n${body}`;
  const completeRequest = post(`Content-Length: ${Buffer.byteLength(write.body)}\r\n`, write.body);
  const smuggled = headOf(rawTarget);
  const chunked = (chunks: string) => post('Transfer-Encoding: chunked\r\n', chunks);
  const honestChunk = `${Buffer.byteLength(write.body).toString(16)}\r\n${write.body}\r\n0\r\n\r\n`;
  const requestLine = (line: string, more = ''): RawCase => ({
    name: `begins with ${line.slice(0, 40)}`,
    pieces: [Buffer.from(headOf(rawTarget, more, line), 'latin1')],
    answersMax: 1,
  });
  const withHeader = (line: string, expected: Partial<RawCase> = {}): RawCase => ({
    name: `has the header ${line.slice(0, 50)}`,
    pieces: [Buffer.from(headOf(rawTarget, `${line}\r\n`), 'latin1')],
    answersMax: 1,
    ...expected,
  });
  const hostHeader = (value: string): RawCase => ({
    name: `names the host ${value.slice(0, 30)}`,
    pieces: [
      Buffer.from(
        `GET ${rawTarget.path} HTTP/1.1\r\nHost: ${value}\r\n${rawTarget.head}\r\n`,
        'latin1',
      ),
    ],
    answersMax: 1,
  });
  return [
    { name: 'sends nothing and ends', pieces: [''], answersMax: 1 },
    { name: 'is not HTTP', pieces: ['hello\r\n\r\n'], ...refusal },
    { name: 'speaks HTTP/0.9', pieces: ['GET /\r\n'], ...refusal },
    {
      name: 'starts with HTTP/2',
      pieces: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
      ...refusal,
    },
    { name: 'speaks TLS', pieces: [Buffer.from('160301020001000001fc0303', 'hex')], ...refusal },
    {
      name: 'is noise',
      pieces: [Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 131) % 256))],
      ...refusal,
    },
    requestLine('GET  /  HTTP/1.1'),
    requestLine('get / HTTP/1.1'),
    requestLine('FOO / HTTP/1.1'),
    requestLine('GET / HTTP/9.9'),
    requestLine('GET / HTTP/1.1 more'),
    requestLine(`GET ${rawTarget.path}\0 HTTP/1.1`),
    requestLine(`GET ${rawTarget.path}\x7f\xff HTTP/1.1`),
    requestLine('GET \xc3\xa4 HTTP/1.1'),
    requestLine(`GET http://elsewhere.example${rawTarget.path} HTTP/1.1`),
    requestLine('GET http:// HTTP/1.1'),
    requestLine('GET http://[::1 HTTP/1.1'),
    requestLine('GET http://a:b@c:99999/ HTTP/1.1'),
    requestLine('GET ftp://elsewhere.example/ HTTP/1.1'),
    requestLine('GET javascript:alert(1) HTTP/1.1'),
    requestLine('GET //elsewhere.example/path HTTP/1.1'),
    requestLine('GET /// HTTP/1.1'),
    requestLine('GET //[ HTTP/1.1'),
    requestLine('GET //:0/ HTTP/1.1'),
    requestLine('GET /\\..\\..\\ HTTP/1.1'),
    requestLine('GET /../../../../etc/passwd HTTP/1.1'),
    requestLine('GET /%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1'),
    requestLine('GET /%00 HTTP/1.1'),
    requestLine('GET ? HTTP/1.1'),
    requestLine('GET ?a=b HTTP/1.1'),
    requestLine('GET # HTTP/1.1'),
    requestLine('GET /#a HTTP/1.1'),
    requestLine('GET /?%zz=%ff&&&=== HTTP/1.1'),
    requestLine('GET * HTTP/1.1'),
    requestLine('OPTIONS * HTTP/1.1'),
    requestLine('CONNECT elsewhere.example:443 HTTP/1.1'),
    requestLine('CONNECT / HTTP/1.1'),
    requestLine('TRACE / HTTP/1.1'),
    requestLine('GET / HTTP/1.0'),
    requestLine(`GET /${'a'.repeat(70_000)} HTTP/1.1`),
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
    ].map(hostHeader),
    {
      name: 'has no Host header',
      pieces: [`GET ${rawTarget.path} HTTP/1.1\r\n${rawTarget.head}\r\n`],
      ...refusal,
    },
    withHeader('Host: second.example', refusal),
    withHeader('X-Odd : blank before the colon', refusal),
    withHeader('X Odd: blank in the name', refusal),
    withHeader('X-\xe4: letter', refusal),
    withHeader('X-Nul: a\0b', refusal),
    withHeader('X-Fold: a\r\n b'),
    withHeader('X-Feed: a\nX-Other: b'),
    withHeader('X-Return: a\rX-Other: b'),
    withHeader(': no name', refusal),
    withHeader('no colon', refusal),
    withHeader('__proto__: x'),
    withHeader('constructor: x'),
    withHeader(`X-Long: ${'x'.repeat(100_000)}`, { statuses: [431] }),
    withHeader(Array.from({ length: 1_500 }, (_, at) => `a${at}: b`).join('\r\n'), {
      statuses: [431],
    }),
    withHeader(`Cookie: ${'a=b; '.repeat(2_000)}`),
    withHeader('Cookie: \xff\xfe=\x80'),
    withHeader('Authorization: Bearer \xff\xfe'),
    withHeader('Accept: \x80\xff'),
    withHeader('Range: bytes=0-\xff'),
    withHeader('Expect: 100-continue'),
    withHeader('Expect: nonsense', { statuses: [417] }),
    withHeader(
      'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13',
    ),
    withHeader(
      'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    ),
    withHeader('Connection: close, keep-alive, host'),
    withHeader('Keep-Alive: timeout=-1, max=99999999999'),
    withHeader('Content-Length: 0'),
    withHeader('X-Forwarded-For: \xff, [, ::::'),
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
      name: `has the Content-Length ${length}`,
      pieces: [post(`Content-Length: ${length}\r\n`, 'hello'), ''],
      answersMax: 2,
    })),
    {
      name: 'has two lengths',
      pieces: [post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!')],
      ...refusal,
    },
    {
      name: 'hides a request by length and chunks',
      pieces: [
        post(
          `Content-Length: ${5 + smuggled.length}\r\nTransfer-Encoding: chunked\r\n`,
          `0\r\n\r\n${smuggled}`,
        ),
      ],
      ...refusal,
    },
    {
      name: 'hides a request by chunks and length',
      pieces: [post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `5c\r\n${smuggled}`)],
      ...refusal,
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
      pieces: [post(`Transfer-Encoding: ${coding}\r\n`, `0\r\n\r\n${smuggled}`)],
      // A server for which the body ends here answers the smuggled request too: two answers.
      answersMax: 2,
    })),
    {
      name: 'is chunked twice',
      pieces: [
        post(
          'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
          `0\r\n\r\n${smuggled}`,
        ),
      ],
      answersMax: 2,
    },
    { name: 'is chunked correctly', pieces: [chunked(honestChunk)], answersMax: 1 },
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
      name: 'has trailers that are not allowed',
      pieces: [chunked(`${honestChunk.slice(0, -2)}Content-Length: 5\r\nAuthorization: x\r\n\r\n`)],
      answersMax: 2,
    },
    {
      name: 'has trailers without end',
      pieces: [chunked(`0\r\n${'x: y\r\n'.repeat(20_000)}`)],
      answersMax: 2,
    },
    {
      name: 'is shorter than its Content-Length',
      pieces: [completeRequest.slice(0, -3)],
      answersMax: 2,
    },
    {
      name: 'is longer than its Content-Length',
      pieces: [completeRequest, 'garbage that belongs to nobody\r\n\r\n'],
      answersMax: 2,
    },
    { name: 'breaks off in its head', pieces: [completeRequest.slice(0, 30)], resets: true },
    { name: 'breaks off in its body', pieces: [completeRequest.slice(0, -5)], resets: true },
    { name: 'breaks off before its answer', pieces: [completeRequest], resets: true },
    {
      name: 'arrives byte by byte',
      pieces: [...headOf(rawTarget)].flatMap((letter): RawPiece[] => [letter, { waitMs: 1 }]),
      answersMax: 1,
    },
    { name: 'is pipelined fifty times', pieces: [headOf(rawTarget).repeat(50)], answersMax: 50 },
    { name: 'is followed by noise', pieces: [headOf(rawTarget), '\0\xff\r\n\r\n'], answersMax: 2 },
    {
      name: 'waits for 100-continue before its body',
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
          rawTarget,
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
          rawTarget,
          '--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--edge--\r\n',
          5_000,
        ),
      ],
      answersMax: 2,
    },
    {
      name: 'is a form with another boundary',
      pieces: [
        form(
          rawTarget,
          '--other\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--other--\r\n',
        ),
      ],
      answersMax: 1,
    },
    {
      name: 'is a form that contains only boundaries',
      pieces: [form(rawTarget, '--edge\r\n'.repeat(2_000))],
      answersMax: 1,
    },
  ];
}

const form = ({ write, head }: RawTarget, body: string, length = body.length) =>
  `POST ${write.path} HTTP/1.1\r\nHost: atrium.example\r\n${head}Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${length}\r\n\r\n${body}`;
