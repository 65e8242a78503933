import type { Context } from '../../../access/context.ts';
import { accountOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { textScalar } from '../../../graph/schema/scalars.ts';
import { networkOf } from '../../../platform/network-of.ts';
import { confirmPassword } from '../passwords/confirm-password.ts';
import {
  confirmAuthenticatorApp,
  removeAuthenticatorApp,
  startAuthenticatorApp,
} from './enroll-authenticator-app.ts';
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './manage-passkeys.ts';
import { renewRecoveryCodes } from './renew-recovery-codes.ts';

declare module '../../../graph/schema/builder.ts' {
  interface Scalars {
    PasskeyName: { Input: string; Output: string };
  }
}

builder.addScalarType(
  'PasskeyName',
  textScalar('PasskeyName', {
    min: 1,
    max: 100,
    description: 'The name that the owner gave a passkey.',
  }),
);

const ownerOf = ({ viewer }: Pick<Context, 'viewer'>) => {
  const { userId, sessionId } = accountOf(viewer);
  return { userId, sessionId };
};

const Passkey = builder.prismaObject('Passkey', {
  description:
    'A passkey: a key in a device or a password manager that replaces password and second factor.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the passkey, an opaque string that never changes.',
    }),
    name: t.exposeString('name', { description: 'The name that its owner gave it.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the passkey was added to the account.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the passkey was last used to sign in; null if it never was.',
    }),
  }),
});

const SecondFactor = builder.objectRef<{ userId: string }>('SecondFactor').implement({
  description: 'The second factors that a person can use besides their password at a sign-in.',
  fields: (t) => ({
    authenticatorAppSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the authenticator app was set up; null without an app.',
      resolve: async ({ userId }, _, { database }) => {
        const app = await database.prisma.authenticatorApp.findFirst({
          where: { userId, confirmedAt: { not: null } },
          select: { confirmedAt: true },
        });
        return app?.confirmedAt ?? null;
      },
    }),
    passkeys: t.prismaField({
      type: [Passkey],
      description: 'The passkeys of the account, oldest first.',
      resolve: (query, { userId }, _, { database }) =>
        database.prisma.passkey.findMany({
          ...query,
          where: { userId },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        }),
    }),
    recoveryCodesLeft: t.int({
      description:
        'How many recovery codes have not been used yet; 0 if the account has no second factor.',
      resolve: ({ userId }, _, { database }) =>
        database.prisma.recoveryCode.count({ where: { userId } }),
    }),
  }),
});

builder.queryField('secondFactor', (t) =>
  t.field({
    type: SecondFactor,
    description: 'The second factors of the viewer.',
    authScopes: { account: true },
    resolve: (_, __, context) => ownerOf(context),
  }),
);

const NewAuthenticatorApp = builder
  .objectRef<{ secret: string; uri: string }>('NewAuthenticatorApp')
  .implement({
    fields: (t) => ({
      secret: t.exposeString('secret', {
        description: 'The secret to type into the app by hand. It is not shown again.',
      }),
      uri: t.exposeString('uri', { description: 'The secret as an otpauth URI, for a QR code.' }),
    }),
  });

builder.mutationField('startAuthenticatorApp', (t) =>
  t.field({
    type: NewAuthenticatorApp,
    description:
      'Creates the secret for a new authenticator app, which `confirmAuthenticatorApp` activates. Needs a recent sign-in.',
    authScopes: { account: true },
    resolve: (_, __, context) => startAuthenticatorApp(ownerOf(context), context),
  }),
);

builder.mutationField('confirmAuthenticatorApp', (t) =>
  t.stringList({
    description:
      'Activates the new authenticator app with one of its codes. For the first second factor of the account all other sessions end and the recovery codes are returned, which are not shown again; otherwise the list is empty.',
    args: { code: t.arg.string() },
    authScopes: { account: true },
    resolve: (_, { code }, context) =>
      confirmAuthenticatorApp(
        { ...ownerOf(context), code, network: networkOf(context.clientInfo.address) },
        context,
      ),
  }),
);

builder.mutationField('removeAuthenticatorApp', (t) =>
  t.boolean({
    description: 'Removes the authenticator app. Needs a recent sign-in.',
    authScopes: { account: true },
    resolve: async (_, __, context) => {
      await removeAuthenticatorApp(ownerOf(context), context);
      return true;
    },
  }),
);

builder.mutationField('renewRecoveryCodes', (t) =>
  t.stringList({
    description:
      'Replaces all recovery codes. The new ones are not shown again. Needs a recent sign-in.',
    authScopes: { account: true },
    resolve: (_, __, context) => renewRecoveryCodes(ownerOf(context), context),
  }),
);

builder.mutationField('confirmPassword', (t) =>
  t.boolean({
    description:
      'Confirms the password of the viewer. For the next ten minutes calls that need a recent sign-in are accepted.',
    args: { password: t.arg.string() },
    authScopes: { account: true },
    resolve: async (_, { password }, context) => {
      await confirmPassword({ ...ownerOf(context), password }, context);
      return true;
    },
  }),
);

builder.mutationField('startPasskey', (t) =>
  t.field({
    type: 'JSON',
    description:
      'The options with which a browser creates a passkey (PublicKeyCredentialCreationOptionsJSON of WebAuthn). They are valid for five minutes. Needs a recent sign-in.',
    authScopes: { account: true },
    resolve: (_, __, context) => startPasskey(ownerOf(context), context),
  }),
);

builder.mutationField('addPasskey', (t) =>
  t.stringList({
    description:
      'Adds the passkey that a browser created with the options of `startPasskey`. For the first second factor of the account all other sessions end and the recovery codes are returned, which are not shown again; otherwise the list is empty.',
    args: {
      name: t.arg({ type: 'PasskeyName' }),
      response: t.arg({ type: 'JSON', description: 'PublicKeyCredential.toJSON() of WebAuthn.' }),
    },
    authScopes: { account: true },
    resolve: (_, { name: label, response }, context) =>
      addPasskey({ ...ownerOf(context), label, response }, context),
  }),
);

builder.mutationField('renamePasskey', (t) =>
  t.prismaField({
    type: Passkey,
    args: { id: t.arg({ type: 'ResourceId' }), name: t.arg({ type: 'PasskeyName' }) },
    authScopes: { account: true },
    resolve: async (query, _, { id, name: label }, context) => {
      const { userId } = ownerOf(context);
      await renamePasskey({ id, userId, label }, context);
      return context.database.prisma.passkey.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);

builder.mutationField('removePasskey', (t) =>
  t.id({
    description: 'Removes a passkey. Needs a recent sign-in.',
    args: { id: t.arg({ type: 'ResourceId' }) },
    authScopes: { account: true },
    resolve: async (_, { id }, context) => {
      await removePasskey({ ...ownerOf(context), id }, context);
      return id;
    },
  }),
);
