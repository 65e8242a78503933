import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { testBucket } from '../../support/s3.ts';

describe.each(['a disk', 'S3'])('The content of a file with %s as storage', (kind) => {
  let app: TestApp;
  let bucket: Awaited<ReturnType<typeof testBucket>> | undefined;
  let person: TestPerson;
  let files: ReturnType<typeof filesOf>;
  let id: string;
  let tag: string;
  beforeAll(async () => {
    bucket = kind === 'S3' ? await testBucket() : undefined;
    app = await testApp({ USER_KEY_LIMIT: '100000', ...bucket?.settings });
    person = await personIn(app, await app.organization());
    files = filesOf(app, person, await assistantOf(person));
    id = fileIdIn(await files.upload('0123456789', { name: 'digits.html', type: 'text/html' }));
    tag = (await files.content(id)).headers.get('etag') ?? '';
  });
  afterAll(async () => {
    await app.close();
    await bucket?.close();
  });

  it('The content is returned unchanged, with headers that keep browsers from showing it as a page', async () => {
    const { status, text, headers } = await files.content(id);
    expect({ status, text }).toEqual({ status: 200, text: '0123456789' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html',
      'content-length': '10',
      'content-disposition': `attachment; filename="digits.html"; filename*=UTF-8''digits.html`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
  });

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
    ['Bytes=0-3', '0123', 'bytes 0-3/10'],
  ])('The range %s gets 206 with that part', async (range, text, contentRange) => {
    const answer = await files.content(id, { range });
    expect(answer).toMatchObject({ status: 206, text });
    expect([answer.headers.get('content-range'), answer.headers.get('content-length')]).toEqual([
      contentRange,
      String(text.length),
    ]);
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])(
    'The range %s gets 416 with the size of the file',
    async (range) => {
      const answer = await files.content(id, { range });
      expect(answer).toMatchObject({
        status: 416,
        body: { status: 'error', message: 'The file has 10 bytes' },
      });
      expect(answer.headers.get('content-range')).toBe('bytes */10');
    },
  );

  it.each([
    'bytes=3-1',
    'bytes=0-1,3-4',
    'bytes=',
    'bytes=a-b',
    'lines=1-2',
    'bytes=-',
    'bytes=99999999999999999999-',
  ])('The invalid range %s is ignored and gets the complete file', async (range) => {
    expect(await files.content(id, { range })).toMatchObject({ status: 200, text: '0123456789' });
  });

  it('A range request with the If-Range tag of another version gets the complete file', async () => {
    expect(await files.content(id, { range: 'bytes=0-3', 'if-range': tag })).toMatchObject({
      status: 206,
    });
    expect(await files.content(id, { range: 'bytes=0-3', 'if-range': '"another"' })).toMatchObject({
      status: 200,
      text: '0123456789',
    });
  });

  it('HEAD ignores a range, which only GET has', async () => {
    for (const range of ['bytes=0-3', 'bytes=10-']) {
      const { status, headers } = await app.request('HEAD', files.path(`/${id}/content`), {
        headers: { authorization: `Bearer ${person.key}`, range },
      });
      expect({ status, length: headers.get('content-length') }).toEqual({
        status: 200,
        length: '10',
      });
      expect(headers.has('content-range')).toBe(false);
    }
  });

  it('With If-Match only that version is read, also in ranges', async () => {
    const range = { range: 'bytes=0-3' };
    expect(await files.content(id, { ...range, 'if-match': tag })).toMatchObject({
      status: 206,
      text: '0123',
    });
    for (const headers of [{}, range])
      expect(await files.content(id, { ...headers, 'if-match': '"another"' })).toMatchObject({
        status: 412,
        body: { code: 'PRECONDITION_FAILED' },
      });
  });

  it('A client with the current entity tag gets 304 without a body', async () => {
    expect(await files.content(id, { 'if-none-match': tag })).toMatchObject({
      status: 304,
      text: '',
    });
    expect(await files.content(id, { 'if-none-match': '"another"' })).toMatchObject({
      status: 200,
    });
  });
});
