import { join } from 'node:path';
import { Upload } from '../../src/http/upload.ts';
import { createAccount } from '../../src/modules/accounts/sign-up/create-account.ts';
import { deleteFile } from '../../src/modules/assistant-files/delete-file.ts';
import { processFiles } from '../../src/modules/assistant-files/processing/process-files.ts';
import { replaceFile } from '../../src/modules/assistant-files/replace-file.ts';
import { uploadFile } from '../../src/modules/assistant-files/upload-file.ts';
import { createAssistant } from '../../src/modules/assistants/create-assistant.ts';
import { createOrganization } from '../../src/modules/organizations/create-organization.ts';
import { createQuotas } from '../../src/modules/quotas/quotas.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { readEnv } from '../../src/platform/env.ts';
import { createLog } from '../../src/platform/log.ts';
import { createDiskStorage } from '../../src/platform/storage/disk.ts';
import { createVaultClient } from '../../src/vault/client.ts';

// A process that tests kill. It uploads, replaces and deletes files of one assistant concurrently
// while they are processed, and prints every change that was confirmed and must not be lost.
const [dataDir = '', vaultUrl = '', secret = '', seed = '1', databaseUrl] = process.argv.slice(2);
const printLine = (line: string) => process.stdout.write(`${line}\n`);

const log = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
const database = await openDatabase({ databaseUrl, dataDir, log });
const parts = {
  storage: createDiskStorage({ directory: join(dataDir, 'files'), isSoleUser: true }),
  vault: createVaultClient({ url: vaultUrl, secret }),
  quotas: createQuotas({ env: readEnv({}), database, log }),
};
const processing = processFiles({ database, files: parts, clock: systemClock, log });
const files = { ...parts, wake: processing.wake };

const at = systemClock();
const slug = `life-${at.getTime()}`;
const person = await inTransaction(database, async (tx) => {
  const administrator = await createAccount(
    { email: `ada@${slug}.example`, firstName: '', lastName: '', passwordHash: 'none', at },
    tx,
  );
  const { id } = await createOrganization(
    { slug, name: slug, features: ['assistantFiles'], seatLimit: null, administrator, at },
    tx,
  );
  return { organizationId: id, userId: administrator.id, isAdmin: true };
});
const actor = {
  organizationId: person.organizationId,
  kind: 'SYSTEM' as const,
  keyId: null,
  userId: person.userId,
  requestId: null,
};
const writer = { database, clock: systemClock, actor, credentialsChanged: () => {} };
const { id: assistantId } = await createAssistant({ person, terms: { name: 'Library' } }, writer);

let state = Number(seed);
const random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state / 2_147_483_648;
};
async function* content() {
  yield Buffer.from(`${Math.floor(random() * 1e9)} `);
  for (let remaining = 1 + random() * 40; remaining > 0; remaining -= 1)
    yield Buffer.from('The words of a file, over and over again.\n'.repeat(50));
}
const newFile = () =>
  new Upload(async () => ({ name: 'notes.txt', mimeType: 'text/plain', content: content() }));

/** Uploads one file, then mostly replaces or deletes it. */
async function processOneFile(): Promise<void> {
  const { id } = await uploadFile({ assistantId, person, upload: newFile() }, writer, files);
  printLine(`made ${id}`);
  const chance = random();
  if (chance < 0.3) return;
  if (chance < 0.6) {
    const { file } = await replaceFile(
      { assistantId, documentId: id, person, upload: newFile() },
      writer,
      files,
    );
    printLine(`gone ${id}`);
    printLine(`made ${file.id}`);
    return;
  }
  await deleteFile({ assistantId, documentId: id, person }, writer, files);
  printLine(`gone ${id}`);
}

await Promise.all(
  Array.from({ length: 3 }, async () => {
    for (;;) await processOneFile();
  }),
);
