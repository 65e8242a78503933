import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import {
  removeLeftovers,
  removeNextLeftover,
} from '../../../src/modules/assistant-files/processing/remove-leftovers.ts';
import { withDeletionLock } from '../../../src/platform/storage/deletion-lock.ts';
import { testApp } from '../../support/app.ts';
import { serverUrl } from '../../support/database.ts';

// The embedded database serves only one process, and that process makes no backup of itself.
describe.skipIf(!serverUrl)('The removal of deleted files during a backup', () => {
  it('Deleted files stay in the storage during a backup and are removed after it', async () => {
    const app = await testApp();
    const { id: organizationId } = await app.organization();
    const removedKeys: string[] = [];
    const files = {
      storage: {
        ...app.contextParts.files.storage,
        remove: async (key: string) => void removedKeys.push(key),
      },
      vault: { ...app.contextParts.files.vault, remove: async () => ({ passages: 3 }) },
    } as unknown as typeof app.contextParts.files;
    const dependencies = { database: app.database, files };
    await app.database.prisma.assistant.create({
      data: { id: 'assistant', organizationId, name: 'Helper' },
    });
    for (const id of ['first', 'second'])
      await app.database.prisma.fileRemoval.create({
        data: {
          id,
          organizationId,
          collection: 'assistant',
          document: id,
          storageKeys: [`files/${id}`],
        },
      });
    const backup = new Client(app.database.url);
    await backup.connect();
    await withDeletionLock(backup, async () => {
      expect(await removeLeftovers({ removalIds: ['first'] }, dependencies)).toEqual([
        { originals: 0, passages: null },
      ]);
      expect(await removeNextLeftover(dependencies)).toBe(false);
      expect(removedKeys).toEqual([]);
    });
    expect(await removeLeftovers({ removalIds: ['first'] }, dependencies)).toEqual([
      { originals: 1, passages: 3 },
    ]);
    expect(await removeNextLeftover(dependencies)).toBe(true);
    expect(removedKeys).toEqual(['files/first', 'files/second']);
    await backup.end();
    await app.close();
  });
});
