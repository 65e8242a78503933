import type { Readable } from 'node:stream';
import { Response } from '@whatwg-node/fetch';
import type { AccessWatch } from '../access/watch-access.ts';
import { Download } from '../graph/schema/download.ts';
import { listedTag, requireMatch } from '../http/entity-tags.ts';
import { AppError } from '../platform/errors.ts';
import type { ByteRange } from '../platform/storage/stored-object.ts';

/**
 * The response with the file that an operation returned, or with the requested range of it (RFC
 * 9110, 14).
 */
export async function downloadResponse(
  data: Readonly<Record<string, unknown>>,
  request: Request,
  headers: Record<string, string>,
  watch: () => AccessWatch,
): Promise<Response> {
  const download = Object.values(data).find((value) => value instanceof Download);
  if (!download) throw new Error('the operation returned no file');
  const { bytes, tag } = download;
  headers['etag'] = tag;
  headers['accept-ranges'] = 'bytes';
  headers['cache-control'] = 'private, no-cache';
  requireMatch(request.headers, tag);
  if (listedTag(request.headers.get('if-none-match'), tag, { weakly: true }) !== undefined)
    return new Response(null, { status: 304, headers });

  const range = requestedRange(request, download);
  if (range === 'unsatisfiable') {
    headers['content-range'] = `bytes */${bytes}`;
    throw new AppError('RANGE_NOT_SATISFIABLE', `The file has ${bytes} bytes`);
  }
  // A browser must not render the file as a page of ours, whatever its type is.
  headers['content-type'] = download.mimeType;
  headers['content-disposition'] = disposition(download.name);
  headers['x-content-type-options'] = 'nosniff';
  headers['content-security-policy'] = "default-src 'none'; sandbox";
  headers['content-length'] = String(range ? range.end - range.start + 1 : bytes);
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${bytes}`;
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const content = await download.open(range);
  // The client may disconnect before the content is read, and a person who loses access gets no
  // further bytes.
  const { signal, stop } = watch();
  const destroyContent = () =>
    void content.destroy(signal.reason instanceof AppError ? signal.reason : undefined);
  content.once('close', stop);
  if (signal.aborted) destroyContent();
  else signal.addEventListener('abort', destroyContent, { once: true });
  return new Response(streamOf(content), { status, headers });
}

/** Destroys the file's stream when the client disconnects. */
function streamOf(content: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void content.destroy(),
  });
}

/**
 * Returns undefined for the complete file: without a range, with several ranges, with a malformed
 * range, or with an If-Range of another version of the file. Only GET has ranges.
 */
function requestedRange(
  { method, headers }: Request,
  { bytes, tag }: Download,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.get('range') ?? '') ?? [];
  const condition = headers.get('if-range');
  if (
    method !== 'GET' ||
    (first === '' && last === '') ||
    (condition !== null && condition !== tag)
  )
    return undefined;
  if (first === '')
    return last === '0'
      ? 'unsatisfiable'
      : { start: Math.max(0, bytes - Number(last)), end: bytes - 1 };
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < bytes ? { start, end } : 'unsatisfiable';
}

/** RFC 6266: the name as it is, and an ASCII version for old clients. */
function disposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
