import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestResponse, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { boundary, fileIdIn, filesOf, formOf, formType, sendStream } from '../../support/files.ts';

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

async function storedState() {
  const keys: string[] = [];
  for await (const { key } of app.contextParts.files.storage.list()) keys.push(key);
  return { keys, rows: await app.database.prisma.assistantFile.count() };
}

const file = { name: 'file', fileName: 'a.txt', type: 'text/plain', content: 'content' };
const field = { name: 'note', content: 'an unknown field' };

/** Expects this status and message for POST and for PUT, and nothing stored. */
async function expectRefusal(
  send: (method: 'POST' | 'PUT', rest: string) => Promise<Pick<TestResponse, 'status' | 'body'>>,
  status: number,
  message: RegExp,
) {
  const id = fileIdIn(await files.upload('the file that a PUT would replace'));
  const before = await storedState();
  for (const { status: answeredStatus, body } of [
    await send('POST', ''),
    await send('PUT', `/${id}`),
  ]) {
    expect({ status: answeredStatus, body }).toMatchObject({
      status,
      body: { status: 'error', code: expect.any(String), message: expect.stringMatching(message) },
    });
  }
  expect(await storedState()).toEqual(before);
}

describe('The form of an upload', () => {
  it.each([
    ['A form without a part', formOf([]), /must have a part "file"/],
    [
      'A form with a file under another name',
      formOf([{ ...file, name: 'files' }]),
      /must have a part "file" that is a file, but its file is the part "files"$/,
    ],
    [
      'A form whose part "file" is a text',
      formOf([{ name: 'file', content: 'text' }]),
      /must have a part "file" that is a file, but its part "file" has no file name$/,
    ],
    ['A form with two files', formOf([file, file]), /one part "file", not several/],
    ['A form with an empty file', formOf([{ ...file, content: '' }]), /The file is empty/],
    [
      'A form that ends in its file',
      formOf([file]).subarray(0, -20),
      /malformed or ends too early/,
    ],
    ['A form that ends after its file', formOf([file], { end: '' }), /malformed or ends too early/],
    [
      'A form that ends in the headers of a part',
      formOf([file]).subarray(0, 40),
      /malformed or ends too early/,
    ],
    ['A body that is not a form', Buffer.from('{"file":"content"}'), /malformed or ends too early/],
    [
      'A body that is empty',
      Buffer.alloc(0),
      /must have a part "file"|malformed or ends too early/,
    ],
    [
      'A form with part headers that never end',
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${'x'.repeat(100_000)}`),
      /malformed or ends too early/,
    ],
  ])('%s gets 400 with a message that names the fault', (_, body, message) =>
    expectRefusal((method, rest) => files.send(method, rest, body), 400, message),
  );

  it.each([
    'application/json',
    'multipart/mixed; boundary=x',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
    'text/plain',
  ])('A body with the content type "%s" gets 400', (type) =>
    expectRefusal(
      (method, rest) => files.send(method, rest, formOf([file]), { 'content-type': type }),
      400,
      /multipart\/form-data/,
    ),
  );

  it('A form without a boundary in its content type gets 400, and the error names the boundary', () =>
    expectRefusal(
      (method, rest) =>
        files.send(method, rest, formOf([file]), { 'content-type': 'multipart/form-data' }),
      400,
      /multipart\/form-data with a boundary/,
    ));

  it('A form with other fields and files around the part "file" is accepted', async () => {
    const other = { ...file, name: 'preview', content: 'x'.repeat(200_000) };
    const answer = await files.send(
      'POST',
      '',
      formOf([field, other, file, other, field, { name: 'large', content: 'x'.repeat(500_000) }]),
    );
    expect(answer.status).toBe(200);
    expect((await files.content(fileIdIn(answer))).text).toBe('content');
  });

  it('A form with a preamble and with almost the boundary in its content is read correctly', async () => {
    const content = `\r\n--${boundary.slice(0, -1)}X\r\n--${boundary}`.slice(0, -1);
    const answer = await files.send(
      'POST',
      '',
      Buffer.concat([Buffer.from('preamble\r\n'), formOf([{ ...file, content }])]),
    );
    expect((await files.content(fileIdIn(answer))).text).toBe(content);
  });

  it('A file of exactly 157,286,400 bytes is accepted; one byte more gets 413, whatever size is announced', async () => {
    const chunk = Buffer.alloc(1_048_576, 'x');
    async function* formOfSize(bytes: number) {
      yield formOf([{ ...file, content: '' }], { end: '' }).subarray(0, -2);
      for (let remaining = bytes; remaining > 0; remaining -= chunk.length)
        yield chunk.subarray(0, remaining);
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    }
    const exact = await sendStream(app, files.path(), {
      key: ada.key,
      body: formOfSize(fileBytesMax),
    });
    expect(exact).toMatchObject({ status: 200, body: { file: { size: fileBytesMax } } });
    await files.remove(fileIdIn(exact));
    await expectRefusal(
      (method, rest) =>
        sendStream(app, files.path(rest), {
          key: ada.key,
          body: formOfSize(fileBytesMax + 1),
          method,
        }),
      413,
      /larger than 157286400 bytes/,
    );
  });

  it('A form whose announced size is too large gets 413 at once', () =>
    expectRefusal(
      (method, rest) => files.send(method, rest, formOf([file]), { 'content-length': '200000000' }),
      413,
      /larger than 157286400 bytes/,
    ));
});

describe('The name of an uploaded file', () => {
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
    ['control characters', "filename*=UTF-8''a%1B%5B31m%07b.txt", 'a[31mb.txt'],
    ['a control character of C1', 'filename="a\u0085b.txt"', 'ab.txt'],
    [
      'a mark that reverses the text direction',
      'filename="invoice\u202Efdp.exe"',
      'invoicefdp.exe',
    ],
    ['invisible characters', 'filename="in\u200bvoice\ufeff.pdf"', 'invoice.pdf'],
    ['decomposed letters', 'filename="Mu\u0308nchen.pdf"', 'München.pdf'],
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
  ])('A name with %s is sanitized', async (_, disposition, name) => {
    expect(await nameOf(disposition)).toBe(name);
  });

  it('A missing name becomes "file" if the part has a media type', async () => {
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
    'A name with a raw control character makes the form malformed: %j',
    (fileName) =>
      expectRefusal(
        (method, rest) => files.send(method, rest, formOf([{ ...file, fileName }])),
        400,
        /malformed/,
      ),
  );

  it('A name of thousands of characters is shortened to 255 and keeps its extension', async () => {
    expect(await nameOf(`filename="${'ä'.repeat(7_000)}.pdf"`)).toBe(`${'ä'.repeat(251)}.pdf`);
    expect([...(await nameOf(`filename="${'😀'.repeat(3_000)}"`))]).toHaveLength(255);
  });

  it.each([
    ['of Windows-1252', [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x20, 0x96, 0x20, 0x80], 'Müller – €'],
    ['that are not valid UTF-8', [0xff, 0xfe, 0xc3, 0x28], 'ÿþÃ('],
    ['of UTF-8', [...Buffer.from('Müller – 日本')], 'Müller – 日本'],
  ])('The bytes %s in a name are read as text (D182)', async (_, bytes, name) => {
    const head = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`,
    );
    const rest = Buffer.from(`.txt"\r\n\r\ncontent\r\n--${boundary}--\r\n`);
    const answer = await files.send('POST', '', Buffer.concat([head, Buffer.from(bytes), rest]));
    expect(answer.status).toBe(200);
    expect(Object(answer.body['file']).originalName).toBe(`${name}.txt`);
  });

  it('A name cannot inject parameters into the header Content-Disposition', async () => {
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

describe('The media type of a part', () => {
  it.each([
    ['text/plain; charset=utf-8', 'text/plain'],
    ['TEXT/CSV', 'text/csv'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['application/octet-stream', 'application/octet-stream'],
    [`text/${'x'.repeat(300)}`, 'application/octet-stream'],
  ])('The media type %s is stored as %s', async (sentType, storedType) => {
    const answer = await files.upload('x', { type: sentType });
    expect(answer.body['file']).toMatchObject({ mimeType: storedType });
    expect((await files.content(fileIdIn(answer))).headers.get('content-type')).toBe(storedType);
  });
});

describe('An unknown id in the path', () => {
  it.each(['unknown', '%00', '%F0%9F%98%80', '__proto__', 'x'.repeat(5_000), "'%20or%201=1"])(
    'The id "%s" gets 404',
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
