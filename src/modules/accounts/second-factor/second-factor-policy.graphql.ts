import { signedInMember } from '../../../access/scopes.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { writerOf } from '../../audit/record-change.ts';
import { Organization, SecondFactorPolicy } from '../../organizations/organization.graphql.ts';
import { setSecondFactorPolicy } from '../../organizations/set-second-factor-policy.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';

mutation('setSecondFactorPolicy', {
  description:
    'Sets who must have a second factor. Existing API keys stay valid. Needs a recent sign-in.',
  authScopes: { administrator: true },
  input: (t) => ({
    policy: t.field({ type: SecondFactorPolicy, description: 'Who needs a second factor.' }),
  }),
  resolve: async ({ policy }, context) => {
    const { userId, sessionId, organizationId } = signedInMember(context.viewer);
    await requireRecentSignIn(sessionId, context);
    await setSecondFactorPolicy({ policy, userId }, writerOf(context));
    return { id: organizationId };
  },
  payload: (t) => ({
    organization: t.prismaField({
      type: Organization,
      description: 'The organization with its new policy.',
      resolve: (query, { id }, _, { database }) =>
        database.prisma.organization.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});
