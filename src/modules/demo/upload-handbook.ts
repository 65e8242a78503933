import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { Upload } from '../../http/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileServices } from '../assistant-files/file-services.ts';
import { uploadFile } from '../assistant-files/upload-file.ts';
import { systemActor } from '../audit/system-actor.ts';
import type { Workspace } from './make-workspace.ts';

const handbookFolder = new URL('handbook/', import.meta.url);
const mimeTypes: Record<string, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown',
  csv: 'text/csv',
};

type UploadHandbookDependencies = {
  database: Database;
  clock: Clock;
  files: Pick<FileServices, 'storage' | 'wake' | 'quotas'>;
};

/**
 * Uploads a small company's handbook to the first assistant of the workspace. An API process with a
 * vault ingests it as soon as it runs.
 */
export async function uploadHandbook(
  { id: organizationId, users, assistants }: Workspace,
  { database, clock, files }: UploadHandbookDependencies,
): Promise<void> {
  const [administrator] = users;
  const [handbook] = assistants;
  if (!administrator || !handbook)
    throw new Error('a handbook needs an assistant and an administrator who uploads it');
  const person = { organizationId, userId: administrator.id, isAdmin: true };
  const actor = systemActor(organizationId);
  for (const name of (await readdir(handbookFolder)).toSorted()) {
    const mimeType = mimeTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    const upload = new Upload(async () => ({
      name,
      mimeType,
      content: createReadStream(new URL(name, handbookFolder)),
    }));
    await uploadFile(
      { assistantId: handbook.id, person, upload },
      { database, clock, actor, credentialsChanged: () => undefined },
      files,
    );
  }
}
