import { randomUUID } from 'node:crypto';
import fastify, { type FastifyError } from 'fastify';
import pg from 'pg';
import { guard, type KeyRow, Refusal } from './guard.ts';

// The list of an assistant's files as one would write it by hand with Fastify and prepared statements.
const isoText = (text: string): string =>
  text.length === 26 && text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z` : new Date(text).toISOString();
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoText);
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: Number(process.env['DATABASE_POOL']), options: '-c TimeZone=UTC' });

async function findKey(hash: Uint8Array) {
  const text = `
    select k.id, k.kind, k.organization_id as "organizationId", k.user_id as "userId", k.limit_per_minute as "limitPerMinute", o.features, k.expires_at as "expiresAt"
    from api_keys k join organizations o on o.id = k.organization_id where k.hash = $1 and k.revoked_at is null`;
  const { rows } = await pool.query<KeyRow>({ name: 'find-key', text, values: [hash] });
  return rows[0];
}

const levelText = `
  select a.id, (select max(s.level) from assistant_shares s where s.assistant_id = a.id and s.organization_id = $2
    and (s.user_id = $3 or (s.user_id is null and s.team_id is null)
      or s.team_id in (select team_id from team_memberships where organization_id = $2 and user_id = $3))) as level
  from assistants a where a.id = $1 and a.organization_id = $2`;
const filesText = `
  select id, original_name as "originalName", mime_type as "mimeType", size, created_at as "createdAt", updated_at as "updatedAt",
         status as "processingStatus", hash
  from assistant_files where assistant_id = $1 and organization_id = $2 order by created_at desc, id desc`;

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const fields = { id: text, originalName: text, mimeType: text, size: integer, createdAt: text, updatedAt: text, processingStatus: text, hash: text };
const answer = {
  type: 'object',
  properties: { files: { type: 'array', items: { type: 'object', properties: fields, required: Object.keys(fields) } }, count: integer, assistantId: text },
};

const app = fastify({ logger: false, genReqId: () => randomUUID(), routerOptions: { ignoreTrailingSlash: true } });
app.decorateRequest('organizationId', '');
app.decorateRequest('userId', '');
app.addHook('onRequest', (request, reply, done) => {
  reply.header('X-Request-Id', request.id).header('Cache-Control', 'no-store').type('application/json; charset=utf-8');
  done();
});
app.addHook('onRequest', guard(findKey, { kind: 'USER', feature: 'assistantFiles', name: 'Assistant Files' }));
app.setErrorHandler((error: FastifyError, request, reply) => {
  const status = error.statusCode ?? 500;
  reply.code(status).send({ status: 'error', message: status < 500 ? error.message : `Internal error; request id ${request.id}` });
});
app.get<{ Params: { assistantId: string } }>(
  '/api/assistant-files/v1/assistants/:assistantId/files',
  { schema: { response: { 200: answer } } },
  async ({ organizationId, userId, params: { assistantId } }) => {
    const { rows: found } = await pool.query<{ level: string | null }>({ name: 'level', text: levelText, values: [assistantId, organizationId, userId] });
    if (!found[0]) throw new Refusal(404, 'Assistant not found');
    if (found[0].level === null) throw new Refusal(403, 'You may not view this assistant');
    const { rows: files } = await pool.query({ name: 'files', text: filesText, values: [assistantId, organizationId] });
    return { files, count: files.length, assistantId };
  },
);
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) });
