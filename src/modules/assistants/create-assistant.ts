import type { AssistantColor } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import type { AddCopiedFiles } from '../assistant-files/copy-files.ts';
import { digestOf } from '../audit/private-text.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Person } from './access.ts';
import type { Assistant } from './assistant.ts';
import { insertVersion } from './assistant-version.ts';
import { requireAssistant } from './require-assistant.ts';

export type AssistantTerms = {
  description?: string | null | undefined;
  instructions?: string | null | undefined;
  model?: string | null | undefined;
  temperature?: number | null | undefined;
  stepLimit?: number | null | undefined;
  starterQuestions?: string[] | null | undefined;
  color?: AssistantColor | null | undefined;
};

/** Refuses the name of a model that does not exist. Absent where the server itself names a model. */
export type ModelCheck = { requireModel?: (name: string) => Promise<void> };

/** The default of the column, as the description of the field says. */
const stepLimitDefault = 5;

type CreateAssistantInput = {
  person: Person;
  terms: AssistantTerms & { name: string };
  /** Adds the files of a copy, in the same transaction. */
  addFiles?: AddCopiedFiles;
};

/** Creates an assistant. The person who creates it becomes its owner. */
export async function createAssistant(
  { person, terms, addFiles }: CreateAssistantInput,
  { requireModel, ...writer }: Writer & ModelCheck,
): Promise<Assistant> {
  const { organizationId, userId } = person;
  const { name, description, instructions, model = null, temperature = null } = terms;
  const { stepLimit, starterQuestions, color = null } = terms;
  if (model !== null) await requireModel?.(model);
  const assistantId = await change(writer, async (tx, record, at) => {
    const id = newId(at.getTime());
    const data = {
      name,
      model,
      temperature,
      ...(instructions != null && { instructions }),
      ...(description && { description }),
      ...(stepLimit != null && { stepLimit }),
      ...(starterQuestions?.length && { starterQuestions }),
      ...(color !== null && { color }),
    };
    const assistant = fragment`
      insert into assistants (id, organization_id, name, description, model, temperature, instructions, step_limit,
        starter_questions, color, created_at, updated_at)
      values (${id}, ${organizationId}, ${name}, ${description ?? ''}, ${model}, ${temperature}, ${instructions ?? ''},
        ${stepLimit ?? stepLimitDefault}, ${starterQuestions ?? []}, ${color}::assistant_color, ${at}, ${at}) returning *`;
    tx.enqueue`with created as (${assistant}) ${insertVersion({ source: fragment`created`, at, author: writer.actor })}`;
    tx.enqueue`
      insert into assistant_shares (id, assistant_id, organization_id, user_id, level, created_at)
      values (${newId(at.getTime())}, ${id}, ${organizationId}, ${userId}, 'OWNER', ${at})`;
    record({
      action: 'create-assistant',
      targetType: 'Assistant',
      targetId: id,
      changes: {
        ...data,
        ...(typeof instructions === 'string' && { instructions: digestOf(instructions) }),
      },
    });
    await addFiles?.(id, tx, record, at);
    return id;
  });
  return requireAssistant({ assistantId, person, level: 'VIEW' }, writer);
}
