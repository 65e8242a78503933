import { builder } from './graph/builder.ts';
import { unwrapExposedFields } from './graph/compile.ts';
import './modules/accounts/setup.graphql.ts';
import './modules/accounts/viewer.graphql.ts';
import './modules/api-keys/api-key.graphql.ts';
import './modules/audit/audit-entry.graphql.ts';
import './modules/organizations/organization.graphql.ts';
import './modules/sponsorship/campaign.graphql.ts';
import './modules/sponsorship/link.graphql.ts';
import './modules/sponsorship/redemption.graphql.ts';
import './modules/teams/team.graphql.ts';
import './modules/users/team-users.graphql.ts';
import './modules/users/user.graphql.ts';

export const schema = unwrapExposedFields(builder.toSchema());
