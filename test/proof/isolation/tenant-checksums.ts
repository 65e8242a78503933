import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { TestApp } from '../../support/app.ts';
import type { VaultServers } from '../../support/vault-servers.ts';
import { tableChecksums } from './rows-of-tenant.ts';

/** Checksums of everything stored for a tenant: rows, stored files and documents in the vault. */
export async function tenantChecksums(
  { database, contextParts }: TestApp,
  { client }: VaultServers,
  organizationId: string,
): Promise<Map<string, string>> {
  const checksums = await tableChecksums(database.prisma, organizationId);
  const rows = await database.prisma.assistantFile.findMany({ where: { organizationId } });
  for (const { storageKey } of rows) {
    const content = await buffer(await contextParts.files.storage.get(storageKey));
    checksums.set(`file ${storageKey}`, createHash('sha256').update(content).digest('hex'));
  }
  for (const collection of new Set(rows.map(({ assistantId }) => assistantId))) {
    const { documents } = await client.documents({ collection });
    for (const { document } of documents) {
      const passages = await client.passages({ collection, document });
      checksums.set(
        `document ${document}`,
        JSON.stringify([await client.document({ collection, document }), passages]),
      );
    }
  }
  return checksums;
}
