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
};

/**
 * Creates an assistant with the settings of another one that the person may change, without its
 * files and shares. It also takes over a model that no longer exists.
 */
export async function duplicateAssistant(
  { assistantId, person, name }: DuplicateAssistantInput,
  writer: Writer,
): Promise<Assistant> {
  const source = await requireAssistant({ assistantId, person, level: 'EDIT' }, writer);
  return createAssistant(
    { person, terms: { ...source, name: name ?? copyNameOf(source.name) } },
    writer,
  );
}

/** Lengths of names count code points. */
const copyNameOf = (name: string): string =>
  [...`Copy of ${name}`].slice(0, nameLengthMax).join('').trimEnd();
