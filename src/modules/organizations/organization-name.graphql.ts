import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { writerOf } from '../audit/record-change.ts';
import { Organization } from './organization.graphql.ts';
import { renameOrganization } from './rename-organization.ts';

builder.mutationField('renameOrganization', (t) =>
  t.prismaField({
    type: Organization,
    description: 'Changes the display name of the organization; its slug stays.',
    args: { name: t.arg({ type: 'OrganizationName' }) },
    authScopes: { administrator: true },
    resolve: async (query, _, input, context) => {
      await renameOrganization(input, writerOf(context));
      return context.database.prisma.organization.findUniqueOrThrow({
        ...query,
        where: { id: memberOf(context.viewer).organizationId },
      });
    },
  }),
);
