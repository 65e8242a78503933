import { generateKey } from '../../src/modules/api-keys/key-format.ts';

type RunStatement = (text: string, values: unknown[]) => Promise<unknown>;

export type FilledAssistant = { key: string; assistantId: string; emptyId: string };

/**
 * Creates an assistant with `files` processed files and another one without files, both of the
 * first user of an organization.
 */
export async function fillFiles(
  run: RunStatement,
  organizationId: string,
  files: number,
): Promise<FilledAssistant> {
  const { key, hash, prefix, lastFour } = generateKey('USER');
  const [assistantId, emptyId] = [`${organizationId}-library`, `${organizationId}-empty`];
  await run(
    `insert into api_keys (id, kind, organization_id, user_id, name, hash, prefix, last_four, limit_per_minute, last_used_at)
     select $1 || '-user-key', 'USER', $1, (select user_id from memberships where organization_id = $1 order by user_created_at limit 1), 'bench', $2, $3, $4, 2000000000, now()`,
    [organizationId, hash, prefix, lastFour],
  );
  for (const id of [assistantId, emptyId]) {
    await run("insert into assistants (id, organization_id, name) values ($1, $2, 'Library')", [
      id,
      organizationId,
    ]);
    await run(
      `insert into assistant_shares (id, assistant_id, organization_id, user_id, level)
       select $1 || '-share', $1, $2, (select user_id from memberships where organization_id = $2 order by user_created_at limit 1), 'OWNER'`,
      [id, organizationId],
    );
  }
  await run(
    `insert into assistant_files (id, assistant_id, organization_id, original_name, mime_type, size, hash, storage_key, status, derivations, passages, created_at, updated_at)
     select gen_random_uuid()::text, $1::text, $2::text, 'Document ' || i || '.pdf', 'application/pdf', 1000 * i, md5(i::text) || md5($1), $2 || '/' || i, 'COMPLETED',
            '{text,chunks,embeddings}', i, to_timestamp(1750000000 + i), to_timestamp(1750000100 + i)
     from generate_series(1, $3::int) i`,
    [assistantId, organizationId, files],
  );
  return { key, assistantId, emptyId };
}
