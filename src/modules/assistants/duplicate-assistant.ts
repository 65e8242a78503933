import { cutText } from '../../platform/cut-text.ts';
import { type AddCopiedFiles, copyFiles } from '../assistant-files/copy-files.ts';
import type { FileServices } from '../assistant-files/file-services.ts';
import type { Writer } from '../audit/record-change.ts';
import type { Person } from './access.ts';
import type { Assistant } from './assistant.ts';
import { createAssistant } from './create-assistant.ts';
import { requireAssistant } from './require-assistant.ts';

const nameLengthMax = 200;

type DuplicateAssistantInput = {
  assistantId: string;
  person: Person;
  name?: string | null | undefined;
  withFiles?: boolean | null | undefined;
};

/**
 * Creates an assistant with the settings of another one that the person may change, without its
 * shares, and with its files on request: they are processed like uploaded ones. It also takes over
 * a model that no longer exists.
 */
export async function duplicateAssistant(
  { assistantId, person, name, withFiles }: DuplicateAssistantInput,
  writer: Writer,
  files: Pick<FileServices, 'storage' | 'quotas' | 'wake'>,
): Promise<Assistant> {
  const source = await requireAssistant({ assistantId, person, level: 'EDIT' }, writer);
  const create = (addFiles?: AddCopiedFiles) =>
    createAssistant(
      {
        person,
        terms: { ...source, name: name ?? copyNameOf(source.name) },
        ...(addFiles && { addFiles }),
      },
      writer,
    );
  // A repeated request has its result already.
  if (!withFiles || writer.database.committedResults?.pending.length) return create();
  const copy = await copyFiles({ assistantId, person }, { ...writer, files }, create);
  files.wake();
  return copy;
}

const copyNameOf = (name: string): string => cutText(`Copy of ${name}`, nameLengthMax).trimEnd();
