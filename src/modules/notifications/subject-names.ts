import type { Database } from '../../platform/database/database.ts';
import { readFiles } from '../assistant-files/read-files.ts';
import type { Person } from '../assistants/access.ts';
import { readAssistants } from '../assistants/read-assistants.ts';
import type { Notification } from './notification.ts';

/** What a notification is about, as the key of its name: an assistant, or a file. */
export function subjectKeyOf({ kind, subjectId, assistantId }: Notification): string | null {
  if (kind === 'FILE_FAILED') return `file ${subjectId}`;
  if (kind === 'ASSISTANT_SHARED') return `assistant ${subjectId}`;
  return assistantId === null ? null : `assistant ${assistantId}`;
}

/**
 * The names of files and assistants, in the order of the keys; null for what is deleted or no longer
 * shared with the person.
 */
export async function readSubjectNames(
  { keys, person }: { keys: readonly string[]; person: Person },
  dependencies: { database: Database },
): Promise<(string | null)[]> {
  const idsOf = (type: string) =>
    keys.filter((key) => key.startsWith(type)).map((key) => key.slice(type.length));
  const [fileIds, assistantIds] = [idsOf('file '), idsOf('assistant ')];
  const [files, assistants] = await Promise.all([
    fileIds.length === 0 ? [] : readFiles({ ids: fileIds, person }, dependencies),
    assistantIds.length === 0 ? [] : readAssistants({ ids: assistantIds, person }, dependencies),
  ]);
  const names = new Map<string, string | undefined>([
    ...fileIds.map((id, index) => [`file ${id}`, files[index]?.originalName] as const),
    ...assistantIds.map((id, index) => [`assistant ${id}`, assistants[index]?.name] as const),
  ]);
  return keys.map((key) => names.get(key) ?? null);
}
