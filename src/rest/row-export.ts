import { Response } from '@whatwg-node/fetch';
import type { ExecutionResult } from 'graphql';
import { preferenceFor } from '../http/accept.ts';
import { type FieldError, InputError } from '../platform/errors.ts';
import { type Row, type RowFormat, type RowFormatName, rowFormats } from './row-formats.ts';

/** The parameters of a list that make no sense for all of its rows. */
const pageParameters = ['page', 'pageSize', 'after', 'before', 'limit', 'updatedSince'];
export const formatNames = ['json', ...Object.keys(rowFormats)];

/**
 * The format in which a client wants a list: by the parameter `format`, otherwise by `Accept`.
 * Undefined: a page as JSON.
 */
export function requestedFormat(
  query: URLSearchParams,
  accept: string | null,
): RowFormat | undefined {
  const named = query.getAll('format');
  const [name = formatByAccept(accept)] = named;
  const faults: FieldError[] = [];
  if (named.length > 1)
    faults.push({
      field: 'format',
      code: 'REPEATED',
      message: `format must be given once, not ${named.length} times`,
    });
  else if (!formatNames.includes(name))
    faults.push({
      field: 'format',
      code: 'UNKNOWN_VALUE',
      message: `format must be one of ${formatNames.join(', ')}`,
    });
  if (name !== 'json')
    for (const field of pageParameters.filter((parameter) => query.has(parameter)))
      faults.push({
        field,
        code: 'INVALID',
        message: `${field} belongs to pages of JSON: another format has all rows`,
      });
  if (faults.length > 0) throw new InputError(faults);
  return isRowFormat(name) ? rowFormats[name] : undefined;
}

const isRowFormat = (name: string): name is RowFormatName => Object.hasOwn(rowFormats, name);

/** JSON, unless the header names a format of rows and prefers no other type to it. */
function formatByAccept(accept: string | null): string {
  const candidates = Object.entries(rowFormats).map(([name, { mediaType }]) => ({
    name,
    ...preferenceFor(accept, mediaType),
  }));
  const [best] = candidates
    .filter(({ isNamed, quality }) => isNamed && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  const json = preferenceFor(accept, 'application/json');
  return best && best.quality >= json.quality ? best.name : 'json';
}

type RowExport = {
  /**
   * Each result has the next rows under the alias `rows`. `end` of a result belongs to all rows, and
   * is sent in the formats that can have it.
   */
  results: AsyncIterable<ExecutionResult>;
  columns: readonly string[];
  format: RowFormat;
  /** The name of the file without its extension. */
  name: string;
  method: string;
  headers: Record<string, string>;
  /** Is called with an error after the first rows. */
  onError: (error: unknown) => void;
};

/**
 * Sends rows as they are read. The next ones are read when the client has taken the previous ones.
 * If the client disconnects, no further ones are read. An error after the first rows breaks the
 * connection off, so that the client does not take a part for the whole.
 */
export async function rowResponse({
  results,
  columns,
  format,
  name,
  method,
  headers,
  onError,
}: RowExport): Promise<Response> {
  const batches = results[Symbol.asyncIterator]();
  const first = batchOf(await batches.next());
  headers['content-type'] = `${format.mediaType}; charset=utf-8`;
  headers['content-disposition'] = `attachment; filename="${name}.${format.extension}"`;
  headers['cache-control'] = 'no-store';
  headers['x-content-type-options'] = 'nosniff';
  if (method === 'HEAD') {
    await batches.return?.();
    return new Response(null, { status: 200, headers });
  }
  async function* texts() {
    yield format.head(columns);
    for (let batch = first; batch; batch = batchOf(await batches.next())) {
      yield batch.rows.map((row) => format.line(row, columns)).join('');
      if (batch.end != null && format.end) yield format.end(batch.end);
    }
  }
  const chunks = texts();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (let next = await chunks.next(); !next.done; next = await chunks.next())
          if (next.value !== '') return controller.enqueue(encoder.encode(next.value));
        controller.close();
      } catch (error) {
        onError(error);
        controller.error(error);
      }
    },
    async cancel() {
      await batches.return?.();
    },
  });
  return new Response(body, { status: 200, headers });
}

/** Undefined after the last rows. Throws the error of a result. */
function batchOf({
  done,
  value,
}: IteratorResult<ExecutionResult>): { rows: readonly Row[]; end: unknown } | undefined {
  if (done) return undefined;
  const { data, errors } = value;
  if (errors?.[0]) throw errors[0];
  const { rows, end } = Object(Object.values(data ?? {})[0]);
  if (!Array.isArray(rows)) throw new Error('the subscription gave no rows');
  return { rows, end };
}
