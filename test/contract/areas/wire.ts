import { createAssistant, filesPath } from '../assistant.ts';
import { filledText } from '../matchers.ts';
import { sendRaw } from '../raw-request.ts';
import type { Suite } from '../suite.ts';

const megabyte = 1_048_576;

/**
 * Bodies that are refused before they are read, and requests that are malformed at the HTTP level:
 * decisions D5, D21, D22.
 */
export async function checkWire(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('user-key', 'refused uploads');
  if (!api) return;
  const assistantId = await createAssistant(suite, api, `${suite.prefix} wire`);
  const form = (bytes: number) => {
    const body = new FormData();
    body.set('file', new File([new Uint8Array(bytes)], 'zeros.bin'));
    return { body };
  };
  const organization = suite.api('org-key', 'json bodies that are too large');
  if (organization) {
    const almostFull = await organization.send('POST', '/api/user-management/v1/users/add', {
      body: `{"email":"nobody"${' '.repeat(megabyte - 100)}}`,
      headers: { 'content-type': 'application/json' },
    });
    check('D5 a JSON body of almost 1 MiB is read', almostFull, almostFull.status, 400);
  }
  for (const [description, bytes, attempts] of [
    ['1 kB', 1000, 6],
    ['40 MB', 40 * megabyte, 3],
  ] as const)
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const withoutKey = await suite.send('POST', filesPath(assistantId), form(bytes));
      check(
        `D22 an upload of ${description} without a key is answered with 401`,
        withoutKey,
        withoutKey.status,
        401,
      );
      const unknown = await api.send('POST', filesPath('unknown'), form(bytes));
      check(
        `D22 an upload of ${description} to an unknown assistant is answered with 404`,
        unknown,
        unknown.status,
        404,
      );
    }
  if (organization)
    for (const bytes of [megabyte + 1, 8 * megabyte]) {
      const large = await organization.send('POST', '/api/user-management/v1/users', {
        body: ' '.repeat(bytes),
        headers: { 'content-type': 'application/json' },
      });
      check(`D5 a JSON body of ${bytes} bytes is answered with 413`, large, large.status, 413);
      check(
        `Part 2, a JSON body of ${bytes} bytes: the error body`,
        large,
        large.at('message'),
        filledText,
      );
    }
  if (suite.large) {
    const tooLarge = await api.send('POST', filesPath(assistantId), form(150 * megabyte + 1));
    check('D21 a file of 157,286,401 bytes is answered with 413', tooLarge, tooLarge.status, 413);
  }
  if (suite.large) {
    const exact = await api.send('POST', filesPath(assistantId), form(150 * megabyte));
    check('D21 a file of 157,286,400 bytes is accepted', exact, exact.status, 200);
    check(
      'D21 a file of 157,286,400 bytes has that size',
      exact,
      exact.at('file.size'),
      157_286_400,
    );
    await api.delete(`${filesPath(assistantId)}/${exact.at('file.id')}`);
  } else suite.report.skipped.set('a file of exactly 150 MB', '--large is not given');
  await checkMalformedRequests(suite);
}

/** A proxy in front of the deployment would answer these requests itself. */
async function checkMalformedRequests({ check, url, direct, report }: Suite): Promise<void> {
  if (!direct)
    return void report.skipped.set(
      'malformed HTTP requests',
      '--direct is not given: a proxy in front answers them',
    );
  const path = '/api/user-management/v1/users';
  for (const [description, bytes, status] of [
    ['a malformed request line', 'NONSENSE\r\n\r\n', 400],
    ['a missing Host', `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    [
      'two Host headers',
      `GET ${path} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n`,
      400,
    ],
    [
      'headers that are too large',
      `GET ${path} HTTP/1.1\r\nHost: a.example\r\nX-Large: ${'x'.repeat(100_000)}\r\nConnection: close\r\n\r\n`,
      431,
    ],
    [
      'an unknown Expect',
      `GET ${path} HTTP/1.1\r\nHost: a.example\r\nExpect: miracles\r\nConnection: close\r\n\r\n`,
      417,
    ],
  ] as const) {
    const answer = await sendRaw(url, bytes);
    check(`D5 ${description} is ${status}`, answer, answer.status, status);
    check(
      `D5 ${description} has X-Request-Id`,
      answer,
      answer.headers.get('x-request-id'),
      filledText,
    );
    check(
      `Part 2, ${description}: the error body`,
      answer,
      [answer.at('status'), typeof answer.at('message')],
      ['error', 'string'],
    );
  }
}
