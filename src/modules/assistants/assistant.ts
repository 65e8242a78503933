import { fragment } from '../../platform/database/sql.ts';
import type { AccessLevel } from './access.ts';

/** An assistant as one person sees it. */
export type Assistant = {
  id: string;
  organizationId: string;
  name: string;
  instructions: string;
  model: string | null;
  temperature: number | null;
  stepLimit: number;
  createdAt: string;
  updatedAt: string;
  /** What this person may do with it. */
  level: AccessLevel;
};

/** What a choice of assistants shows. */
export const briefAssistant: ReadonlySet<string> = new Set(['id', 'name']);

/** Columns of `assistants a`: what `briefAssistant` is made of. */
export const briefAssistantColumns = fragment`a.id, a.name`;

/** Columns of `assistants a` and of `g`, the access of one person. */
export const assistantColumns = fragment`
  ${briefAssistantColumns}, g.level, a.organization_id as "organizationId", a.instructions, a.model, a.temperature, a.step_limit as "stepLimit",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;
