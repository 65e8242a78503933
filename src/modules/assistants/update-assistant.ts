import { notFound } from '../../platform/errors.ts';
import { digestOf } from '../audit/private-text.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Person } from './access.ts';
import type { Assistant } from './assistant.ts';
import type { AssistantTerms, ModelCheck } from './create-assistant.ts';
import { requireAssistant } from './require-assistant.ts';

type UpdateAssistantInput = {
  assistantId: string;
  person: Person;
  terms: AssistantTerms & { name?: string | null | undefined };
};

/**
 * A field that is absent stays as it is. Null resets model, temperature and colour to their
 * defaults. A model that no longer exists can stay, so that the other fields can be changed.
 */
export async function updateAssistant(
  { assistantId, person, terms }: UpdateAssistantInput,
  { requireModel, ...writer }: Writer & ModelCheck,
): Promise<Assistant> {
  const current = await requireAssistant({ assistantId, person, level: 'EDIT' }, writer);
  const { name, description, instructions, model, temperature } = terms;
  const { stepLimit, starterQuestions, color } = terms;
  if (typeof model === 'string' && model !== current.model) await requireModel?.(model);
  const data = {
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof instructions === 'string' && { instructions }),
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(typeof stepLimit === 'number' && { stepLimit }),
    ...(starterQuestions && { starterQuestions }),
    ...(color !== undefined && { color }),
  };
  if (Object.keys(data).length > 0) {
    await change(writer, async (tx, record, at) => {
      const updated = await tx.sql`
        update assistants set
          name = coalesce(${name ?? null}, name),
          description = coalesce(${description ?? null}, description),
          instructions = coalesce(${instructions ?? null}, instructions),
          model = case when ${model === undefined} then model else ${model ?? null} end,
          temperature = case when ${temperature === undefined} then temperature else ${temperature ?? null}::float8 end,
          step_limit = coalesce(${stepLimit ?? null}::int, step_limit),
          starter_questions = coalesce(${starterQuestions ?? null}::text[], starter_questions),
          color = case when ${color === undefined} then color else ${color ?? null}::assistant_color end,
          updated_at = ${at}
        where id = ${assistantId} and organization_id = ${person.organizationId} returning id`;
      if (updated.length === 0) throw notFound('Assistant');
      record({
        action: 'update-assistant',
        targetType: 'Assistant',
        targetId: assistantId,
        changes: {
          ...data,
          ...(typeof instructions === 'string' && { instructions: digestOf(instructions) }),
        },
      });
    });
  }
  return requireAssistant({ assistantId, person, level: 'VIEW' }, writer);
}
