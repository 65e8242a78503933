import { signedInMember } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { writerOf } from '../../audit/record-change.ts';
import { Organization, SecondFactorPolicy } from '../../organizations/organization.graphql.ts';
import { setSecondFactorPolicy } from '../../organizations/set-second-factor-policy.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';

builder.mutationField('setSecondFactorPolicy', (t) =>
  t.prismaField({
    type: Organization,
    description:
      'Sets who must have a second factor. Existing API keys stay valid. Needs a recent sign-in.',
    args: { policy: t.arg({ type: SecondFactorPolicy }) },
    authScopes: { administrator: true },
    resolve: async (query, _, { policy }, context) => {
      const { userId, sessionId, organizationId } = signedInMember(context.viewer);
      await requireRecentSignIn(sessionId, context);
      await setSecondFactorPolicy({ policy, userId }, writerOf(context));
      return context.database.prisma.organization.findUniqueOrThrow({
        ...query,
        where: { id: organizationId },
      });
    },
  }),
);
