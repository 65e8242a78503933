import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import postgres from 'postgres';
import { createCalls } from './calls.ts';
import { errorBody, HttpError } from './errors.ts';
import { isoText } from './iso-text.ts';
import type { Query, ResultRow } from './query.ts';

// The reads of the REST API without a framework: `node:http` and postgres.js, which sends the
// statements of simultaneous requests over a connection without waiting for the answers.
const sql = postgres(process.env['DATABASE_URL'] ?? '', {
  max: Number(process.env['DATABASE_POOL']),
  connection: { TimeZone: 'UTC' },
  types: {
    date: { to: 1184, from: [1184], serialize: String, parse: isoText },
    bigint: { to: 20, from: [20], serialize: String, parse: Number },
  },
});
const query: Query = <Row extends ResultRow>(
  name: string | undefined,
  text: string,
  values: unknown[],
): Promise<Row[]> => sql.unsafe<Row[]>(text, values as never[], { prepare: name !== undefined });

const routes = createCalls(query).map(({ path, answer }) => ({
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}/?$`),
  answer,
}));

createServer((request, response) => {
  const requestId = randomUUID();
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  answerTo(request, response).then(
    (body) => end(response, 200, body),
    (error: Error) => {
      const status = error instanceof HttpError ? error.statusCode : 500;
      if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
      end(response, status, JSON.stringify(errorBody(error, status, requestId)));
    },
  );
}).listen(Number(process.env['PORT']), '127.0.0.1');

async function answerTo(
  { url = '/', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<string> {
  const [path = '', query = ''] = url.split('?', 2);
  for (const { pattern, answer } of routes) {
    const match = pattern.exec(path);
    if (match)
      return answer({
        authorization: headers.authorization,
        params: match.slice(1).map(decodeURIComponent),
        query,
        origin: `http://${headers.host}`,
        setHeader: (name, value) => response.setHeader(name, value),
      });
  }
  throw new HttpError(404, 'There is no such address');
}

function end(response: ServerResponse, status: number, body: string): void {
  response.statusCode = status;
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
