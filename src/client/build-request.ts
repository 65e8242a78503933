import type { CallRoute } from './documented-calls.ts';

export type CallInput = Readonly<Record<string, unknown>>;
/** A body that can be read again for each retry, with its media type. */
export type RequestBody = { content: string | Blob; type: string };

/**
 * Builds the URL and the body: the parameters of the path and of the query come from the input, the
 * remaining fields are the body. The body is a form if the input has a file.
 */
export function buildRequest(
  { method, path, query, files }: CallRoute,
  input: CallInput,
): { url: string; body: RequestBody | undefined } {
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const takeField = (name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    return value;
  };
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    pathSegment(name, takeField(name)),
  );
  const search = new URLSearchParams(
    query
      .filter((name) => fields.has(name))
      .map((name): [string, string] => [name, String(takeField(name))]),
  );
  const url = search.size > 0 ? `${filledPath}?${search}` : filledPath;
  if (method === 'GET' || method === 'DELETE') return { url, body: undefined };
  const body = files.some((name) => fields.has(name))
    ? toForm(fields, files)
    : { content: JSON.stringify(Object.fromEntries(fields)), type: 'application/json' };
  return { url, body };
}

/**
 * A form as one Blob, which refers to the files without reading them: its size is known before it
 * is sent, and each retry can read it again.
 */
function toForm(fields: ReadonlyMap<string, unknown>, files: readonly string[]): RequestBody {
  const boundary = `atrium-${crypto.randomUUID()}`;
  const parts: (string | Blob)[] = [];
  const add = (disposition: string, type: string, content: string | Blob) =>
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`,
      content,
      '\r\n',
    );
  for (const [name, value] of fields) {
    if (!files.includes(name)) add(`name="${name}"`, 'application/json', JSON.stringify(value));
    else
      for (const file of [value].flat()) {
        const [content, fileName] = toFormPart(file);
        const type = content.type || 'application/octet-stream';
        add(`name="${name}"; filename="${escaped(fileName)}"`, type, content);
      }
  }
  parts.push(`--${boundary}--\r\n`);
  return { content: new Blob(parts), type: `multipart/form-data; boundary=${boundary}` };
}

function toFormPart(file: unknown): [Blob, string] {
  if (file instanceof File) return [file, file.name];
  const { name, content } = Object(file);
  return [content, String(name)];
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const escaped = (fileName: string): string =>
  fileName.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

export type UploadProgress = { sentBytes: number; totalBytes: number };

/** The content as a stream that reports how many of its bytes have been sent. */
export function withProgress(
  content: string | Blob,
  report: (progress: UploadProgress) => void,
): ReadableStream<Uint8Array> {
  const blob = new Blob([content]);
  let sentBytes = 0;
  return blob.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        sentBytes += chunk.byteLength;
        report({ sentBytes, totalBytes: blob.size });
      },
    }),
  );
}

/**
 * A part of a path. An empty one, `.` and `..` would lead to another address: `..` in place of a user
 * of a team to the team itself.
 */
function pathSegment(name: string, value: unknown): string {
  if (value === undefined || value === null || ['', '.', '..'].includes(String(value)))
    throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`);
  return encodeURIComponent(String(value));
}
