import type { Statement } from './driver/statement.ts';

/**
 * The tenant for which statements run. If the database role is not a superuser, row-level security
 * shows only the rows of this organization and person, so a query with a missing condition cannot
 * return the rows of others.
 */
export type TenantScope = { organizationId: string; personId: string };

/**
 * For work that belongs to no single organization: identifying a key, signing in, processing files,
 * migrating.
 */
export const allTenants: TenantScope = { organizationId: '*', personId: '' };

export const isSameScope = (one: TenantScope | undefined, other: TenantScope) =>
  one?.organizationId === other.organizationId && one.personId === other.personId;

/** Sets the scope for the session. The name lets Postgres prepare the statement once. */
export const scopeStatement = ({ organizationId, personId }: TenantScope) => ({
  name: 'atrium_scope',
  text: "select set_config('atrium.organization', $1, false), set_config('atrium.person', $2, false)",
  values: [organizationId, personId],
});

/** Sets the scope until the transaction ends. */
export const localScopeStatement = ({ organizationId, personId }: TenantScope): Statement => ({
  name: 'atrium_local_scope',
  text: "select set_config('atrium.organization', $1, true), set_config('atrium.person', $2, true)",
  values: [organizationId, personId],
});
