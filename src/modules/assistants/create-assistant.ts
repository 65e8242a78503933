import { newId } from '../../platform/ids.ts';
import { digestOf } from '../audit/private-text.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Person } from './access.ts';
import type { Assistant } from './assistant.ts';
import { requireAssistant } from './require-assistant.ts';

export type AssistantTerms = {
  instructions?: string | null | undefined;
  model?: string | null | undefined;
  temperature?: number | null | undefined;
  stepLimit?: number | null | undefined;
};

/** Creates an assistant. The person who creates it becomes its owner. */
export async function createAssistant(
  { person, terms }: { person: Person; terms: AssistantTerms & { name: string } },
  writer: Writer,
): Promise<Assistant> {
  const { organizationId, userId } = person;
  const { name, instructions, model = null, temperature = null, stepLimit } = terms;
  const assistantId = await change(writer, async (tx, record, at) => {
    const id = newId(at.getTime());
    const data = {
      name,
      model,
      temperature,
      ...(instructions != null && { instructions }),
      ...(stepLimit != null && { stepLimit }),
    };
    await tx.assistant.create({
      data: { ...data, id, organizationId, createdAt: at, updatedAt: at },
      select: { id: true },
    });
    await tx.assistantShare.create({
      data: {
        id: newId(at.getTime()),
        assistantId: id,
        organizationId,
        userId,
        level: 'OWNER',
        createdAt: at,
      },
      select: { id: true },
    });
    await record({
      action: 'create-assistant',
      targetType: 'Assistant',
      targetId: id,
      changes: {
        ...data,
        ...(typeof instructions === 'string' && { instructions: digestOf(instructions) }),
      },
    });
    return id;
  });
  return requireAssistant({ assistantId, person, level: 'VIEW' }, writer);
}
