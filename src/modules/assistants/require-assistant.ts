import type { Database } from '../../platform/database/database.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { type AccessLevel, accessOf, type Person, reaches } from './access.ts';
import { type Assistant, assistantColumns } from './assistant.ts';

type Parts = { database: Database };
type Asked = { assistantId: string; person: Person };

const doing: Record<AccessLevel, string> = {
  VIEW: 'view',
  EDIT: 'change',
  OWNER: 'share or delete',
};

/**
 * An assistant of this person's organization with which they may do what is needed. One of another
 * organization is not found; one of their own that is not theirs to use is refused.
 */
export async function requireAssistant(
  { assistantId, person, level }: Asked & { level: AccessLevel },
  parts: Parts,
): Promise<Assistant> {
  const assistant = await findAssistant({ assistantId, person }, parts);
  return requireLevel(assistant, level);
}

/**
 * What a statement found out of an assistant of the organization: undefined where there is none,
 * null where nothing is granted.
 */
type Granted = { level: AccessLevel | null };

export function requireLevel<Row extends Granted>(
  found: Row | undefined,
  needed: AccessLevel,
): Row & { level: AccessLevel } {
  if (!found) throw notFound('Assistant');
  const { level } = found;
  if (level === null || !reaches(level, needed))
    throw new AppError('FORBIDDEN', `You may not ${doing[needed]} this assistant`);
  return { ...found, level };
}

/**
 * The assistant `a` with this person's `level`, for statements that ask for what belongs to it and
 * whether they may at once.
 */
export const assistantFor = ({ assistantId, person }: Asked): Fragment => fragment`(
  select a.id, a.organization_id, g.level from assistants a left join (${accessOf(person)}) g on g.assistant_id = a.id
  where a.id = ${assistantId} and a.organization_id = ${person.organizationId}) a`;

/** The same for a run: whoever may not run an assistant does not learn whether there is one. */
export async function requireRunnable(asked: Asked, parts: Parts): Promise<Assistant> {
  const assistant = await findAssistant(asked, parts);
  if (!assistant?.level)
    throw new AppError('FORBIDDEN', 'Assistant not available', 'ASSISTANT_NOT_AVAILABLE');
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
