import { digestOf } from '../audit/private-text.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Person } from './access.ts';
import type { Assistant } from './assistant.ts';
import type { AssistantSettings } from './assistant-version.ts';
import type { AssistantTerms, ModelCheck } from './create-assistant.ts';
import { requireAssistant } from './require-assistant.ts';
import { storeSettings } from './store-settings.ts';

type UpdateAssistantInput = {
  assistantId: string;
  person: Person;
  terms: AssistantTerms & { name?: string | null | undefined };
  /** The version that the editor has read. If there is a newer one, the change is refused. */
  basedOn?: number | null | undefined;
  /** The number of the version whose settings `terms` are. */
  restoredNumber?: number;
};

/**
 * A field that is absent stays as it is. Null resets model, temperature and colour to their
 * defaults. A model that no longer exists can stay, so that the other fields can be changed.
 */
export async function updateAssistant(
  { assistantId, person, terms, basedOn, restoredNumber }: UpdateAssistantInput,
  { requireModel, ...writer }: Writer & ModelCheck,
): Promise<Assistant> {
  const current = await requireAssistant({ assistantId, person, level: 'EDIT' }, writer);
  const { model, instructions } = terms;
  if (typeof model === 'string' && model !== current.model) await requireModel?.(model);
  const data = changedSettings(terms);
  if (Object.keys(data).length > 0) {
    const { organizationId } = person;
    await change(writer, async (tx, record, at) => {
      const author = writer.actor;
      await storeSettings(
        { assistantId, organizationId, data, basedOn, restoredNumber, author, at },
        tx,
      );
      record({
        action: 'update-assistant',
        targetType: 'Assistant',
        targetId: assistantId,
        changes: {
          ...data,
          ...(typeof instructions === 'string' && { instructions: digestOf(instructions) }),
          ...(restoredNumber !== undefined && { restoredVersion: restoredNumber }),
        },
      });
    });
  }
  return requireAssistant({ assistantId, person, level: 'VIEW' }, writer);
}

function changedSettings({
  name,
  description,
  instructions,
  model,
  temperature,
  stepLimit,
  starterQuestions,
  color,
}: UpdateAssistantInput['terms']): Partial<AssistantSettings> {
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof instructions === 'string' && { instructions }),
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(typeof stepLimit === 'number' && { stepLimit }),
    ...(starterQuestions && { starterQuestions }),
    ...(color !== undefined && { color }),
  };
}
