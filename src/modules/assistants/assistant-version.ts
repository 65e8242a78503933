import type { AssistantColor } from '../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import type { Actor } from '../audit/record-change.ts';

/** What an assistant is: the fields of which every change makes a version. */
export type AssistantSettings = {
  name: string;
  description: string;
  instructions: string;
  model: string | null;
  temperature: number | null;
  stepLimit: number;
  starterQuestions: string[];
  color: AssistantColor | null;
};

export type AssistantVersion = AssistantSettings & {
  id: string;
  number: number;
  restoredNumber: number | null;
  authorUserId: string | null;
  authorKeyId: string | null;
  createdAt: string;
};

/** How many versions of an assistant are kept. */
export const versionsMax = 100;

/** The columns of `assistants a` with its settings. */
export const settingsColumns = fragment`
  a.name, a.description, a.instructions, a.model, a.temperature, a.step_limit as "stepLimit",
  a.starter_questions as "starterQuestions", a.color`;

/** The columns of `assistant_versions v`. */
export const versionColumns = fragment`
  v.id, v.number, v.name, v.description, v.instructions, v.model, v.temperature, v.step_limit as "stepLimit",
  v.starter_questions as "starterQuestions", v.color, v.restored_number as "restoredNumber",
  v.author_user_id as "authorUserId", v.author_key_id as "authorKeyId", v.created_at as "createdAt"`;

type VersionInsert = {
  /** The rows of `assistants` whose settings are stored. */
  source: Fragment;
  at: Date;
  author?: Pick<Actor, 'userId' | 'keyId'>;
  restoredNumber?: number | undefined;
};

/** Stores what these assistants are as their newest version. */
export const insertVersion = ({
  source,
  at,
  author = { userId: null, keyId: null },
  restoredNumber,
}: VersionInsert): Fragment => fragment`
  insert into assistant_versions (id, assistant_id, organization_id, number, name, description, instructions, model,
    temperature, step_limit, starter_questions, color, restored_number, author_user_id, author_key_id, created_at)
  select ${newId(at.getTime())}, a.id, a.organization_id, a.version, a.name, a.description, a.instructions, a.model,
    a.temperature, a.step_limit, a.starter_questions, a.color, ${restoredNumber ?? null}::int, ${author.userId},
    ${author.keyId}, a.updated_at
  from ${source} a`;
