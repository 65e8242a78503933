import type { Database } from '../../platform/database/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { type AccessLevel, accessOf, type Person, reaches } from './access.ts';
import { type Assistant, assistantColumns } from './assistant.ts';

type Parts = { database: Database };
type Asked = { assistantId: string; person: Person };

const doing: Record<AccessLevel, string> = { VIEW: 'view', EDIT: 'change', OWNER: 'share or delete' };

/**
 * An assistant of this person's organization with which they may do what is needed. One of another organization is not found;
 * one of their own that is not theirs to use is refused.
 */
export async function requireAssistant({ assistantId, person, level }: Asked & { level: AccessLevel }, parts: Parts): Promise<Assistant> {
  const assistant = await findAssistant({ assistantId, person }, parts);
  if (!assistant) throw notFound('Assistant');
  const { level: granted, ...rest } = assistant;
  if (granted === null || !reaches(granted, level)) throw new AppError('FORBIDDEN', `You may not ${doing[level]} this assistant`);
  return { ...rest, level: granted };
}

/** The same for a run: whoever may not run an assistant does not learn whether there is one. */
export async function requireRunnable(asked: Asked, parts: Parts): Promise<Assistant> {
  const assistant = await findAssistant(asked, parts);
  if (!assistant?.level) throw new AppError('FORBIDDEN', 'Assistant not available');
  return { ...assistant, level: assistant.level };
}

async function findAssistant(
  { assistantId, person }: Asked,
  { database }: Parts,
): Promise<(Omit<Assistant, 'level'> & { level: AccessLevel | null }) | undefined> {
  const [assistant] = await database.sql<Omit<Assistant, 'level'> & { level: AccessLevel | null }>`
    select ${assistantColumns} from assistants a left join (${accessOf(person)}) g on g.assistant_id = a.id
    where a.id = ${assistantId} and a.organization_id = ${person.organizationId}`;
  return assistant;
}
