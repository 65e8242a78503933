import { randomUUID } from 'node:crypto';
import { SQL } from 'bun';
import { Elysia } from 'elysia';
import { createCalls } from './calls.ts';
import { errorBody, HttpError } from './errors.ts';
import type { Query, ResultRow } from './query.ts';

// The reads of the REST API with Elysia on Bun, whose own driver for Postgres sends the statements
// of simultaneous requests over a connection without waiting for the answers.
const sql = new SQL({
  url: process.env['DATABASE_URL'] ?? '',
  max: Number(process.env['DATABASE_POOL']),
  connection: { TimeZone: 'UTC' },
});
const query: Query = <Row extends ResultRow>(
  _name: string | undefined,
  text: string,
  values: unknown[],
): Promise<Row[]> => sql.unsafe<Row[]>(text, values);

const app = new Elysia();
for (const { path, answer } of createCalls(query)) {
  const handler = async ({ request, params, set }: HandlerContext): Promise<Response | string> => {
    const requestId = randomUUID();
    set.headers['x-request-id'] = requestId;
    set.headers['cache-control'] = 'no-store';
    set.headers['content-type'] = 'application/json; charset=utf-8';
    const { url, headers } = request;
    const [address = '', queryText = ''] = url.split('?', 2);
    try {
      return await answer({
        authorization: headers.get('authorization') ?? undefined,
        params: Object.values(params ?? {}),
        query: queryText,
        origin: address.slice(0, address.indexOf('/', 'http://'.length)),
        setHeader: (name, value) => {
          set.headers[name.toLowerCase()] = value;
        },
      });
    } catch (error) {
      const status = error instanceof HttpError ? error.statusCode : 500;
      set.status = status;
      if (status === 401) set.headers['www-authenticate'] = 'Bearer';
      const message = error instanceof Error ? error.message : String(error);
      return JSON.stringify(
        errorBody(error instanceof Error ? error : { message }, status, requestId),
      );
    }
  };
  app.get(path, handler);
  app.get(`${path}/`, handler);
}
app.listen({ port: Number(process.env['PORT']), hostname: '127.0.0.1' });

type HandlerContext = {
  request: Request;
  params?: Record<string, string>;
  set: { status?: number | string; headers: Record<string, string | number> };
};
