import { accountOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { secretRule } from '../../../graph/schema/input-rules.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { notFound } from '../../../platform/errors.ts';
import { changePassword } from '../passwords/change-password.ts';
import { newPasswordRule } from '../setup/setup.graphql.ts';
import { nameDevice } from '../sign-in/device-name.ts';
import '../own-data/own-data.graphql.ts';
import '../second-factor/second-factor.graphql.ts';
import '../second-factor/second-factor-policy.graphql.ts';

const Session = builder.prismaObject('Session', {
  description: 'A browser in which a person is signed in.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The id of the session, an opaque string that never changes. It is not the secret in the cookie.',
    }),
    device: t.string({
      select: { userAgent: true },
      description: 'The name of the browser and the system, such as “Firefox on Windows”.',
      resolve: (session) => nameDevice(session.userAgent),
    }),
    address: t.string({
      select: { ipAddress: true },
      nullable: true,
      description: 'The network address of the sign-in.',
      resolve: ({ ipAddress }) => ipAddress || null,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the person signed in.',
    }),
    lastUsedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the session was last used, to a few minutes.',
    }),
    isCurrent: t.boolean({
      select: { id: true },
      description: 'Whether this is the session of the request.',
      resolve: ({ id }, _, { viewer }) => viewer?.kind === 'SESSION' && viewer.sessionId === id,
    }),
  }),
});

builder.queryField('sessions', (t) =>
  t.prismaField({
    type: [Session],
    description: 'The browsers in which the viewer is signed in, the last used first.',
    authScopes: { account: true },
    resolve: (query, _, __, { viewer, database, clock }) =>
      database.prisma.session.findMany({
        ...query,
        where: { userId: accountOf(viewer).userId, expiresAt: { gt: clock() } },
        orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
        take: 100,
      }),
  }),
);

mutation('revokeSession', {
  description: 'Ends a session of the viewer. The session is rejected from that moment on.',
  authScopes: { account: true },
  input: (t) => ({ id: t.field({ type: 'ID', description: 'The id of the session.' }) }),
  resolve: async ({ id }, { viewer, database }) => {
    const ended = await database.sql`
      delete from sessions where id = ${id} and user_id = ${accountOf(viewer).userId} returning id`;
    if (ended.length === 0) throw notFound('Session');
    return { endedSessionId: id };
  },
  payload: (t) => ({
    endedSessionId: t.exposeID('endedSessionId', {
      description: 'The id of the session that ended.',
    }),
  }),
});

mutation('revokeOtherSessions', {
  description: 'Ends every session of the viewer except that of the request.',
  authScopes: { account: true },
  resolve: async (_, { viewer, database }) => {
    const { userId, sessionId } = accountOf(viewer);
    const ended = await database.sql`
        delete from sessions where user_id = ${userId} and id <> ${sessionId} returning id`;
    return { endedSessions: ended.length };
  },
  payload: (t) => ({
    endedSessions: t.exposeInt('endedSessions', { description: 'How many sessions ended.' }),
  }),
});

mutation('changePassword', {
  description: 'Changes the password of the viewer.',
  authScopes: { account: true },
  input: (t) => ({
    currentPassword: t.string({
      rule: secretRule,
      description: 'The password that the account has now.',
    }),
    newPassword: t.field({
      type: 'String',
      rule: newPasswordRule,
      description: 'The password that the account gets.',
    }),
    signOutElsewhere: t.boolean({
      defaultValue: true,
      description: 'Whether all other sessions end.',
    }),
  }),
  resolve: async (input, context) => ({
    endedSessions: await changePassword({ ...input, ...accountOf(context.viewer) }, context),
  }),
  payload: (t) => ({
    endedSessions: t.exposeInt('endedSessions', { description: 'How many other sessions ended.' }),
  }),
});
