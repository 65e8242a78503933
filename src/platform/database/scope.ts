import { Prisma } from './generated/client.ts';

/**
 * For whom statements run. Where the database role is no superuser, row-level security shows them
 * the rows of this organization and of this person, and no others: what a condition forgets is not
 * there to be found.
 */
export type Scope = { organizationId: string; personId: string };

/**
 * For what belongs to no single organization: identifying a key, signing in, working through files,
 * migrating.
 */
export const everything: Scope = { organizationId: '*', personId: '' };

export const isSame = (one: Scope | undefined, other: Scope) =>
  one?.organizationId === other.organizationId && one.personId === other.personId;

/** Until somebody else takes the connection. Its name lets it be prepared once. */
export const scopeStatement = ({ organizationId, personId }: Scope) => ({
  name: 'atrium_scope',
  text: "select set_config('atrium.organization', $1, false), set_config('atrium.person', $2, false)",
  values: [organizationId, personId],
});

/** Until the transaction ends. */
export const transactionScopeStatement = ({ organizationId, personId }: Scope) =>
  Prisma.sql`select set_config('atrium.organization', ${organizationId}, true), set_config('atrium.person', ${personId}, true)`;
