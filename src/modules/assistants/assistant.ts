import type { AssistantColor } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { AccessLevel } from './access.ts';

/** An assistant as one person sees it. */
export type Assistant = {
  id: string;
  organizationId: string;
  name: string;
  description: string;
  instructions: string;
  model: string | null;
  temperature: number | null;
  stepLimit: number;
  starterQuestions: string[];
  color: AssistantColor | null;
  /** The number of its newest version. */
  version: number;
  createdAt: string;
  updatedAt: string;
  /** The access level of this person. */
  level: AccessLevel;
};

/**
 * The fields of a list from which people choose an assistant. Such a list needs no access level.
 */
export const briefAssistant: ReadonlySet<string> = new Set(['id', 'name']);

/** Columns of `assistants a` for the fields of `briefAssistant`. */
export const briefAssistantColumns = fragment`a.id, a.name, a.created_at as "createdAt"`;

/** Columns of `assistants a` and of `g`, the access of one person. */
export const assistantColumns = fragment`
  ${briefAssistantColumns}, g.level, a.organization_id as "organizationId", a.instructions, a.model, a.temperature, a.step_limit as "stepLimit",
  a.description, a.starter_questions as "starterQuestions", a.color, a.version, a.updated_at as "updatedAt"`;
