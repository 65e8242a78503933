import type { Writer } from '../audit/record-change.ts';
import type { Person } from './access.ts';
import type { Assistant } from './assistant.ts';
import type { ModelCheck } from './create-assistant.ts';
import { requireVersion } from './read-versions.ts';
import { updateAssistant } from './update-assistant.ts';

type RestoreVersionInput = {
  assistantId: string;
  person: Person;
  number: number;
  basedOn?: number | null | undefined;
};

/** Gives an assistant the settings of one of its versions again, as a new version. */
export async function restoreVersion(
  { assistantId, person, number, basedOn }: RestoreVersionInput,
  writer: Writer & ModelCheck,
): Promise<Assistant> {
  const terms = await requireVersion({ assistantId, number, person }, writer);
  return updateAssistant({ assistantId, person, terms, basedOn, restoredNumber: number }, writer);
}
