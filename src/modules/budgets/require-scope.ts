import type { BudgetScope } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { fragment } from '../../platform/database/sql.ts';
import { inputError, notFound } from '../../platform/errors.ts';

type RequireScopeInput = {
  organizationId: string;
  scope: BudgetScope;
  scopeId?: string | null | undefined;
};

const targets = {
  TEAM: { name: 'Team', table: fragment`teams`, id: fragment`id` },
  USER: { name: 'User', table: fragment`memberships`, id: fragment`user_id` },
  KEY: { name: 'API key', table: fragment`api_keys`, id: fragment`id` },
  ASSISTANT: { name: 'Assistant', table: fragment`assistants`, id: fragment`id` },
} as const;

/**
 * Returns the id of what the budget is for; null for the organization. Throws NOT_FOUND for an id of
 * another organization.
 */
export async function requireScope(
  { organizationId, scope, scopeId }: RequireScopeInput,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<string | null> {
  if (scope === 'ORGANIZATION') {
    if (scopeId == null) return null;
    throw inputError('scopeId', 'INVALID', 'scopeId must be absent for the scope ORGANIZATION');
  }
  if (scopeId == null)
    throw inputError('scopeId', 'REQUIRED', `scopeId is required for the scope ${scope}`);
  const { name, table, id } = targets[scope];
  const found = await sql`
    select from ${table} where ${id} = ${scopeId} and organization_id = ${organizationId}`;
  if (found.length === 0) throw notFound(name);
  return scopeId;
}
