import type { Database } from '../../platform/database/database.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { type AccessLevel, accessOf, allows, type Person } from './access.ts';
import { type Assistant, assistantColumns } from './assistant.ts';

type AssistantDependencies = { database: Database };
type AssistantRequest = { assistantId: string; person: Person };

const actionNames: Record<AccessLevel, string> = {
  VIEW: 'view',
  EDIT: 'change',
  OWNER: 'share or delete',
};

/**
 * Finds an assistant that this person may use at the level `level`. An assistant of another
 * organization is NOT_FOUND; one of the person's organization without sufficient access is
 * FORBIDDEN.
 */
export async function requireAssistant(
  { assistantId, person, level }: AssistantRequest & { level: AccessLevel },
  dependencies: AssistantDependencies,
): Promise<Assistant> {
  const assistant = await findAssistant({ assistantId, person }, dependencies);
  return requireLevel(assistant, level);
}

/**
 * The row of a query for an assistant. The row is undefined if the organization has no such
 * assistant; `level` is null if the person has no access to it.
 */
type WithLevel = { level: AccessLevel | null };

export function requireLevel<AssistantRow extends WithLevel>(
  row: AssistantRow | undefined,
  needed: AccessLevel,
): AssistantRow & { level: AccessLevel } {
  if (!row) throw notFound('Assistant');
  const { level } = row;
  if (level === null || !allows(level, needed))
    throw new AppError(
      'FORBIDDEN',
      `You may not ${actionNames[needed]} this assistant`,
      'ACCESS_LEVEL_TOO_LOW',
    );
  return { ...row, level };
}

/**
 * The assistant `a` with the `level` of this person, for queries that check the access and read
 * data of the assistant in one statement.
 */
export const assistantWithLevel = ({
  assistantId,
  person,
}: AssistantRequest): Fragment => fragment`(
  select a.id, a.organization_id, g.level from assistants a left join (${accessOf(person)}) g on g.assistant_id = a.id
  where a.id = ${assistantId} and a.organization_id = ${person.organizationId}) a`;

/**
 * Finds an assistant that this person may run. A missing assistant and one without access give the
 * same error, so the caller cannot learn which ids exist.
 */
export async function requireRunnable(
  request: AssistantRequest,
  dependencies: AssistantDependencies,
): Promise<Assistant> {
  const assistant = await findAssistant(request, dependencies);
  if (!assistant?.level)
    throw new AppError('FORBIDDEN', 'Assistant not available', 'ASSISTANT_NOT_AVAILABLE');
  return { ...assistant, level: assistant.level };
}

async function findAssistant(
  { assistantId, person }: AssistantRequest,
  { database }: AssistantDependencies,
): Promise<(Omit<Assistant, 'level'> & { level: AccessLevel | null }) | undefined> {
  const [assistant] = await database.sql<Omit<Assistant, 'level'> & { level: AccessLevel | null }>`
    select ${assistantColumns} from assistants a left join (${accessOf(person)}) g on g.assistant_id = a.id
    where a.id = ${assistantId} and a.organization_id = ${person.organizationId}`;
  return assistant;
}
