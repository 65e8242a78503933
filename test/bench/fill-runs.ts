import { generateKey } from '../../src/modules/api-keys/key-format.ts';
import { hashingEmbedder } from '../../src/vault/embed/embedder.ts';
import type { VectorDbClient } from '../../src/vault/vector-db/client.ts';
import { fillOrganization } from './fill.ts';
import type { BenchDatabase } from './postgres.ts';

/** The assistants of the benchmark: one of the provider's model, one of the built-in model. */
export const assistants = { provider: 'bench-assistant', builtIn: 'bench-built-in' };

const documents = 10;
const words =
  'battery charger travel holiday allowance notice period contract delivery invoice meeting office laptop network password backup'.split(
    ' ',
  );

/** Creates a person with a key, and assistants with files. Returns the key. */
export async function fillAssistants({ run }: BenchDatabase, seed: number): Promise<string> {
  const { organizationId } = await fillOrganization(run, { slug: 'runs', users: 5, seed });
  const { key, hash, prefix, lastFour } = generateKey('USER');
  await run(
    `insert into api_keys (id, kind, organization_id, user_id, name, hash, prefix, last_four, limit_per_minute)
     select 'bench-user-key', 'USER', $1, user_id, 'bench', $2, $3, $4, 2000000000 from memberships where organization_id = $1 limit 1`,
    [organizationId, hash, prefix, lastFour],
  );
  for (const [assistantId, model] of [
    [assistants.provider, null],
    [assistants.builtIn, 'atrium-extractive'],
  ]) {
    await run(
      `insert into assistants (id, organization_id, name, model) values ($1, $2, 'Bench', $3)`,
      [assistantId, organizationId, model],
    );
    await run(
      `insert into assistant_shares (id, assistant_id, organization_id, level) values ($1 || '-share', $1, $2, 'VIEW')`,
      [assistantId, organizationId],
    );
    await run(
      `insert into assistant_files (id, assistant_id, organization_id, original_name, mime_type, size, hash, storage_key, status)
       select $1 || '-document-' || i, $1, $2, 'document-' || i || '.txt', 'text/plain', 1, repeat('0', 64), $1 || '-document-' || i, 'COMPLETED' from generate_series(0, $3 - 1) i`,
      [assistantId, organizationId, documents],
    );
  }
  return key;
}

/** Stores this many passages for each assistant. */
export async function fillPassages(vectorDb: VectorDbClient, passages: number): Promise<void> {
  const startedAt = performance.now();
  for (const assistantId of Object.values(assistants))
    for (let document = 0; document < documents; document += 1) {
      const metadata = { hash: '0'.repeat(64), embedding: hashingEmbedder.name, facts: {} };
      await vectorDb.put(
        assistantId,
        `${assistantId}-document-${document}`,
        metadata,
        passagesOf(document, passages / documents),
      );
    }
  console.log(
    `  stored ${passages} passages for each assistant in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
}

async function* passagesOf(document: number, count: number) {
  let start = 0;
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const passageIndex = document * count + ordinal;
    const text = Array.from(
      { length: 60 },
      (_, index) =>
        `${words[(passageIndex * 7 + index * (1 + (passageIndex % 11))) % words.length]}${(passageIndex + index) % 97}`,
    ).join(' ');
    const [vector] = await hashingEmbedder.embed([text], 'passage');
    if (vector)
      yield {
        ordinal,
        text,
        page: 1 + (ordinal >> 3),
        headings: [],
        start,
        end: start + text.length,
        vector,
      };
    start += text.length + 1;
  }
}
