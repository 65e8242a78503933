import { memberOf } from '../../access/scopes.ts';
import { text } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { writerOf } from '../audit/record-change.ts';
import { Organization } from './organization.graphql.ts';
import { renameOrganization } from './rename-organization.ts';

/** Names of organizations appear in emails. */
export const organizationNameRule = text({ min: 1, max: 80, isName: true });

mutation('renameOrganization', {
  description: 'Changes the display name of the organization; its slug stays.',
  authScopes: { administrator: true },
  input: (t) => ({
    name: t.field({
      type: 'String',
      rule: organizationNameRule,
      description: 'The new display name.',
    }),
  }),
  resolve: async (input, context) => {
    await renameOrganization(input, writerOf(context));
    return { id: memberOf(context.viewer).organizationId };
  },
  payload: (t) => ({
    organization: t.prismaField({
      type: Organization,
      description: 'The organization with its new name.',
      resolve: (query, { id }, _, { database }) =>
        database.prisma.organization.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});
