import type { TestApp, TestResponse } from './app.ts';
import type { TestPerson } from './assistants.ts';

export const boundary = 'the-boundary-of-a-test';
export const formType = `multipart/form-data; boundary=${boundary}`;

export type FormPart = {
  name: string;
  fileName?: string;
  disposition?: string;
  type?: string;
  content: string | Uint8Array;
};

/** The bytes of a multipart form. */
export function formOf(
  parts: readonly FormPart[],
  { end = `--${boundary}--\r\n` } = {},
): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(
    ({ name, fileName, type, content, disposition = partName(name, fileName) }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ],
  );
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

const partName = (name: string, fileName: string | undefined) =>
  `form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`;

export const filesPath = (assistantId: string, rest = '') =>
  `/api/assistant-files/v1/assistants/${assistantId}/files${rest}`;

/** Calls of the Assistant Files API by one person. */
export function filesOf(
  app: TestApp,
  { key, call }: Pick<TestPerson, 'key' | 'call'>,
  assistantId: string,
) {
  const path = (rest = '') => filesPath(assistantId, rest);
  const send = (
    method: 'POST' | 'PUT',
    rest: string,
    body: BodyInit,
    headers: Record<string, string> = {},
  ) =>
    app.request(method, path(rest), {
      headers: { authorization: `Bearer ${key}`, 'content-type': formType, ...headers },
      body,
    });
  const form = (
    content: string | Uint8Array,
    { name = 'notes.txt', type = 'text/plain' }: FileName = {},
  ) => formOf([{ name: 'file', fileName: name, type, content }]);
  return {
    path,
    send,
    list: () => call('GET', path()),
    upload: (content: string | Uint8Array, named?: FileName, headers?: Record<string, string>) =>
      send('POST', '', form(content, named), headers),
    get: (id: string, headers?: Record<string, string>) =>
      call('GET', path(`/${id}`), undefined, headers),
    content: (id: string, headers?: Record<string, string>) =>
      call('GET', path(`/${id}/content`), undefined, headers),
    replace: (
      id: string,
      content: string | Uint8Array,
      named?: FileName,
      headers?: Record<string, string>,
    ) => send('PUT', `/${id}`, form(content, named), headers),
    remove: (id: string, headers?: Record<string, string>) =>
      call('DELETE', path(`/${id}`), undefined, headers),
  };
}

type FileName = { name?: string; type?: string };

/** The id of the file in the response of an upload or a replacement. */
export const fileIdIn = ({ body }: Pick<TestResponse, 'body'>): string => Object(body['file']).id;

type StreamedUpload = {
  key: string;
  body: AsyncGenerator<Uint8Array>;
  headers?: Record<string, string>;
  method?: 'POST' | 'PUT';
};

/** Sends a form as a stream. */
export async function sendStream(
  app: TestApp,
  path: string,
  { key, body, headers = {}, method = 'POST' }: StreamedUpload,
) {
  const stream = new ReadableStream({
    async pull(controller) {
      const { done, value } = await body.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const options = {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': formType, ...headers },
    body: stream,
    duplex: 'half',
  };
  const response = await app.fetch(new Request(`http://atrium.test${path}`, options));
  const answer: { status: number; body: Record<string, unknown> } = {
    status: response.status,
    body: Object(JSON.parse(await response.text())),
  };
  return answer;
}
