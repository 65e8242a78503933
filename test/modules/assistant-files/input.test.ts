import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { boundary, fileIdIn, filesOf, formOf, formType, streamed } from '../../support/files.ts';

const fileBytesMax = 157_286_400;

let app: TestApp;
let ada: TestPerson;
let files: ReturnType<typeof filesOf>;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
  ada = await personIn(app, await app.organization());
  files = filesOf(app, ada, await assistantOf(ada));
});
afterAll(() => app.close());

async function stored() {
  const keys: string[] = [];
  for await (const { key } of app.contextParts.files.storage.list()) keys.push(key);
  return { keys, rows: await app.database.prisma.assistantFile.count() };
}

const file = { name: 'file', fileName: 'a.txt', type: 'text/plain', content: 'content' };
const field = { name: 'note', content: 'a field that nobody asked for' };

/** 400 with a message that says it, and nothing stored, for POST and for PUT. */
async function refuses(
  send: (method: 'POST' | 'PUT', rest: string) => Promise<Pick<Answer, 'status' | 'body'>>,
  status: number,
  message: RegExp,
) {
  const id = fileIdIn(await files.upload('what a PUT would replace'));
  const before = await stored();
  for (const { status: answered, body } of [await send('POST', ''), await send('PUT', `/${id}`)]) {
    expect({ status: answered, body }).toMatchObject({
      status,
      body: { status: 'error', code: expect.any(String), message: expect.stringMatching(message) },
    });
  }
  expect(await stored()).toEqual(before);
}

describe('a form', () => {
  it.each([
    ['without a part', formOf([]), /must have a part "file"/],
    [
      'with a file under another name only',
      formOf([{ ...file, name: 'files' }]),
      /must have a part "file"/,
    ],
    [
      'whose part "file" is a text',
      formOf([{ name: 'file', content: 'text' }]),
      /must have a part "file" that is a file/,
    ],
    ['with two files', formOf([file, file]), /one part "file", not several/],
    ['with a file of no bytes', formOf([{ ...file, content: '' }]), /The file is empty/],
    ['that is cut off in its file', formOf([file]).subarray(0, -20), /malformed or ends too early/],
    ['that is cut off behind its file', formOf([file], { end: '' }), /malformed or ends too early/],
    [
      'that is cut off in the head of a part',
      formOf([file]).subarray(0, 40),
      /malformed or ends too early/,
    ],
    ['that is no form', Buffer.from('{"file":"content"}'), /malformed or ends too early/],
    ['that is empty', Buffer.alloc(0), /must have a part "file"|malformed or ends too early/],
    [
      'whose part has a head without an end',
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${'x'.repeat(100_000)}`),
      /malformed or ends too early/,
    ],
  ])('%s is 400, which says so', (_, body, message) =>
    refuses((method, rest) => files.send(method, rest, body), 400, message),
  );

  it.each([
    'application/json',
    'multipart/mixed; boundary=x',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
    'text/plain',
  ])('D22: of the type "%s" is 400', (type) =>
    refuses(
      (method, rest) => files.send(method, rest, formOf([file]), { 'content-type': type }),
      400,
      /multipart\/form-data/,
    ),
  );

  it('D6: with other fields and other files before and behind is taken, for its one file', async () => {
    const other = { ...file, name: 'preview', content: 'x'.repeat(200_000) };
    const answer = await files.send(
      'POST',
      '',
      formOf([field, other, file, other, field, { name: 'large', content: 'x'.repeat(500_000) }]),
    );
    expect(answer.status).toBe(200);
    expect((await files.content(fileIdIn(answer))).text).toBe('content');
  });

  it('with a preamble, or whose boundary stands in the content with another character behind, is taken as it is', async () => {
    const content = `\r\n--${boundary.slice(0, -1)}X\r\n--${boundary}`.slice(0, -1);
    const answer = await files.send(
      'POST',
      '',
      Buffer.concat([Buffer.from('preamble\r\n'), formOf([{ ...file, content }])]),
    );
    expect((await files.content(fileIdIn(answer))).text).toBe(content);
  });

  it('D21: of exactly 157,286,400 bytes is taken; one byte more is 413, whatever is announced', async () => {
    const chunk = Buffer.alloc(1_048_576, 'x');
    async function* sized(bytes: number) {
      yield formOf([{ ...file, content: '' }], { end: '' }).subarray(0, -2);
      for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    }
    const exact = await streamed(app, files.path(), { key: ada.key, body: sized(fileBytesMax) });
    expect(exact).toMatchObject({ status: 200, body: { file: { size: fileBytesMax } } });
    await files.remove(fileIdIn(exact));
    await refuses(
      (method, rest) =>
        streamed(app, files.path(rest), { key: ada.key, body: sized(fileBytesMax + 1), method }),
      413,
      /larger than 157286400 bytes/,
    );
  });

  it('D21: that announces more than fits is 413 at once', () =>
    refuses(
      (method, rest) => files.send(method, rest, formOf([file]), { 'content-length': '200000000' }),
      413,
      /larger than 157286400 bytes/,
    ));
});

describe('the name of a file', () => {
  const nameOf = async (disposition: string) => {
    const answer = await files.send(
      'POST',
      '',
      formOf([{ ...file, disposition: `form-data; name="file"; ${disposition}` }]),
    );
    expect(answer.status).toBe(200);
    return Object(answer.body['file']).originalName;
  };

  it.each([
    ['a path', 'filename="../../etc/passwd"', 'passwd'],
    ['a path of Windows', 'filename="C:\\\\temp\\\\report.pdf"', 'report.pdf'],
    ['an absolute path', 'filename="/etc/shadow"', 'shadow'],
    ['nothing but dots', 'filename=".."', 'file'],
    ['blanks', 'filename="   "', 'file'],
    ['a NUL byte', "filename*=UTF-8''a%00.txt", 'a.txt'],
    ['controls', "filename*=UTF-8''a%1B%5B31m%07b%C2%85.txt", 'a[31mb.txt'],
    ['a mark that turns the direction', 'filename="invoice\u202Efdp.exe"', 'invoicefdp.exe'],
    ['a mark that nobody sees', 'filename="in\u200bvoice\ufeff.pdf"', 'invoice.pdf'],
    ['letters in two pieces', 'filename="Mu\u0308nchen.pdf"', 'München.pdf'],
    ['letters of other scripts', 'filename="日本語 – отчёт 🎉.pdf"', '日本語 – отчёт 🎉.pdf'],
    ['a quote as browsers write it', 'filename="a%22b.txt"', 'a"b.txt'],
    ['line ends as browsers write them', 'filename="a%0D%0Ab.txt"', 'ab.txt'],
    ['other percent signs', 'filename="100%25 a%2Fb%0db.txt"', '100%25 a%2Fb%0db.txt'],
    ['quotes', 'filename="a\\"b\'c.txt"', 'a"b\'c.txt'],
    ['markup', 'filename="<script>alert(1)</script>.html"', 'script>.html'],
    [
      'the form of RFC 5987',
      'filename="fallback.txt"; filename*=UTF-8\'\'na%C3%AFve%20plan.txt',
      'naïve plan.txt',
    ],
    ['a path in the form of RFC 5987', "filename*=UTF-8''..%2F..%2Fetc%2Fhosts", 'hosts'],
  ])('with %s is kept harmless', async (_, disposition, name) => {
    expect(await nameOf(disposition)).toBe(name);
  });

  it('that is missing becomes "file", where the part says that it is one', async () => {
    for (const disposition of ['form-data; name="file"', 'form-data; name="file"; filename=""']) {
      const answer = await files.send(
        'POST',
        '',
        formOf([{ ...file, disposition, type: 'application/octet-stream' }]),
      );
      expect(answer).toMatchObject({ status: 200, body: { file: { originalName: 'file' } } });
    }
  });

  it.each(['a\0.txt', 'a\u001b[31m.txt'])(
    'with a raw control in it makes the form malformed: %j',
    (fileName) =>
      refuses(
        (method, rest) => files.send(method, rest, formOf([{ ...file, fileName }])),
        400,
        /malformed/,
      ),
  );

  it('of 10,000 characters is cut to 255, and keeps its ending', async () => {
    expect(await nameOf(`filename="${'ä'.repeat(7_000)}.pdf"`)).toBe(`${'ä'.repeat(251)}.pdf`);
    expect([...(await nameOf(`filename="${'😀'.repeat(3_000)}"`))]).toHaveLength(255);
  });

  it('that is no UTF-8 is stored as text all the same', async () => {
    const head = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`,
    );
    const rest = Buffer.from(`.txt"\r\n\r\ncontent\r\n--${boundary}--\r\n`);
    const answer = await files.send(
      'POST',
      '',
      Buffer.concat([head, Buffer.from([0xff, 0xfe, 0xc3, 0x28]), rest]),
    );
    expect(answer.status).toBe(200);
    expect(Object(answer.body['file']).originalName).toMatch(/^.{1,10}\.txt$/u);
  });

  it('leads nobody astray in an answer header', async () => {
    const answer = await files.send(
      'POST',
      '',
      formOf([
        { ...file, disposition: 'form-data; name="file"; filename="a\\"; x=\\"%41ü\u2028.html"' },
      ]),
    );
    const { headers } = await files.content(fileIdIn(answer));
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="a_; x=__41_.html"; filename*=UTF-8''a%22%3B%20x%3D%22%2541%C3%BC.html`,
    );
  });
});

describe('the media type of a part', () => {
  it.each([
    ['text/plain; charset=utf-8', 'text/plain'],
    ['TEXT/CSV', 'text/csv'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['application/octet-stream', 'application/octet-stream'],
    [`text/${'x'.repeat(300)}`, 'application/octet-stream'],
  ])('%s is stored as %s', async (sent, kept) => {
    const answer = await files.upload('x', { type: sent });
    expect(answer.body['file']).toMatchObject({ mimeType: kept });
    expect((await files.content(fileIdIn(answer))).headers.get('content-type')).toBe(kept);
  });
});

describe('ids in the path', () => {
  it.each(['unknown', '%00', '%F0%9F%98%80', '__proto__', 'x'.repeat(5_000), "'%20or%201=1"])(
    '"%s" is 404',
    async (id) => {
      const { call } = ada;
      for (const path of [
        files.path(`/${id}`),
        files.path(`/${id}/content`),
        filesOf(app, ada, id).path(),
      ]) {
        expect((await call('GET', path)).status).toBe(404);
      }
      expect(
        (await files.send('PUT', `/${id}`, formOf([file]), { 'content-type': formType })).status,
      ).toBe(404);
      expect((await call('DELETE', files.path(`/${id}`))).status).toBe(404);
    },
  );
});
