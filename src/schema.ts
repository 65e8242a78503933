import { builder } from './graph/builder.ts';
import { unwrapExposedFields } from './graph/compile.ts';
import './modules/accounts/session.graphql.ts';
import './modules/accounts/setup.graphql.ts';
import './modules/accounts/sign-in-options.graphql.ts';
import './modules/accounts/viewer.graphql.ts';
import './modules/api-keys/api-key.graphql.ts';
import './modules/api-keys/api-key-limit.graphql.ts';
import './modules/api-keys/expiring-keys.graphql.ts';
import './modules/api-keys/rate-limits.graphql.ts';
import './modules/assistant-files/assistant-file.graphql.ts';
import './modules/assistant-files/file-excerpt.graphql.ts';
import './modules/assistant-files/files-of-assistant.graphql.ts';
import './modules/assistant-files/unfinished-files.graphql.ts';
import './modules/assistants/assistant.graphql.ts';
import './modules/assistants/assistant-share.graphql.ts';
import './modules/assistants/sharing-teams.graphql.ts';
import './modules/audit/audit-entry.graphql.ts';
import './modules/invitations/invitation.graphql.ts';
import './modules/invitations/invitation-offer.graphql.ts';
import './modules/memberships/membership.graphql.ts';
import './modules/organizations/organization.graphql.ts';
import './modules/organizations/organization-name.graphql.ts';
import './modules/organizations/organization-terms.graphql.ts';
import './modules/quotas/quotas.graphql.ts';
import './modules/runs/models.graphql.ts';
import './modules/runs/run.graphql.ts';
import './modules/sponsorship/billing-change.graphql.ts';
import './modules/sponsorship/campaign.graphql.ts';
import './modules/sponsorship/campaign-links.graphql.ts';
import './modules/sponsorship/campaign-pricing.graphql.ts';
import './modules/sponsorship/campaign-redemptions.graphql.ts';
import './modules/sponsorship/expiring-redemptions.graphql.ts';
import './modules/sponsorship/link.graphql.ts';
import './modules/sponsorship/bulk-redemptions.graphql.ts';
import './modules/sponsorship/redemption.graphql.ts';
import './modules/sponsorship/redemption-month.graphql.ts';
import './modules/sponsorship/reservation.graphql.ts';
import './modules/sponsorship/seats.graphql.ts';
import './modules/sponsorship/sponsored-offer.graphql.ts';
import './modules/sponsorship/sponsorship-summary.graphql.ts';
import './modules/teams/team.graphql.ts';
import './modules/users/team-users.graphql.ts';
import './modules/users/profile.graphql.ts';
import './modules/users/user.graphql.ts';
import './modules/vault/vault.graphql.ts';
import './modules/vault/vault-documents.graphql.ts';
import './modules/vault/vault-search.graphql.ts';

export const schema = unwrapExposedFields(builder.toSchema());

/**
 * The same for who asks the scopes of a root field before running it: its resolvers do not ask
 * again.
 */
export const admittedSchema = unwrapExposedFields(builder.toSchema({ disableScopeAuth: true }));
