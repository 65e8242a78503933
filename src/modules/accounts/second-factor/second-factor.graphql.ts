import type { Context } from '../../../access/context.ts';
import { accountOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { secretRule, text } from '../../../graph/schema/input-rules.ts';
import { alwaysTrue, mutation, type PayloadBuilder } from '../../../graph/schema/mutation.ts';
import { networkOf } from '../../../platform/network-of.ts';
import { confirmPassword } from '../passwords/confirm-password.ts';
import {
  confirmAuthenticatorApp,
  removeAuthenticatorApp,
  startAuthenticatorApp,
} from './enroll-authenticator-app.ts';
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './manage-passkeys.ts';
import { renewRecoveryCodes } from './renew-recovery-codes.ts';

const passkeyNameRule = text({ min: 1, max: 100 });

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
    description: 'The secret that an authenticator app needs to compute codes.',
    fields: (t) => ({
      secret: t.exposeString('secret', {
        description: 'The secret to type into the app by hand. It is not shown again.',
      }),
      uri: t.exposeString('uri', { description: 'The secret as an otpauth URI, for a QR code.' }),
    }),
  });

const changedFactors = <Payload extends object>(t: PayloadBuilder<Payload>) => ({
  secondFactor: t.field({
    type: SecondFactor,
    description: 'The second factors of the viewer after the change.',
    resolve: (_, __, context) => ownerOf(context),
  }),
});

const recoveryCodes = <Payload extends { recoveryCodes: string[] }>(
  t: PayloadBuilder<Payload>,
) => ({
  recoveryCodes: t.stringList({
    description:
      'The new recovery codes, which are not shown again. Empty if the earlier ones stay valid.',
    resolve: (payload) => payload.recoveryCodes,
  }),
});

mutation('startAuthenticatorApp', {
  description:
    'Creates the secret for a new authenticator app, which `confirmAuthenticatorApp` activates. Needs a recent sign-in.',
  authScopes: { account: true },
  resolve: async (_, context) => ({
    authenticatorApp: await startAuthenticatorApp(ownerOf(context), context),
  }),
  payload: (t) => ({
    authenticatorApp: t.expose('authenticatorApp', {
      type: NewAuthenticatorApp,
      description: 'The secret for the app.',
    }),
  }),
});

mutation('confirmAuthenticatorApp', {
  description:
    'Activates the new authenticator app with one of its codes. For the first second factor of the account all other sessions end and the payload has recovery codes.',
  authScopes: { account: true },
  input: (t) => ({
    code: t.string({ rule: secretRule, description: 'The code that the app shows.' }),
  }),
  resolve: async ({ code }, context) => ({
    recoveryCodes: await confirmAuthenticatorApp(
      { ...ownerOf(context), code, network: networkOf(context.clientInfo.address) },
      context,
    ),
  }),
  payload: (t) => ({ ...changedFactors(t), ...recoveryCodes(t) }),
});

mutation('removeAuthenticatorApp', {
  description: 'Removes the authenticator app. Needs a recent sign-in.',
  authScopes: { account: true },
  resolve: async (_, context) => {
    await removeAuthenticatorApp(ownerOf(context), context);
    return {};
  },
  payload: (t) => ({ ...changedFactors(t) }),
});

mutation('renewRecoveryCodes', {
  description: 'Replaces all recovery codes. Needs a recent sign-in.',
  authScopes: { account: true },
  resolve: async (_, context) => ({
    recoveryCodes: await renewRecoveryCodes(ownerOf(context), context),
  }),
  payload: (t) => ({ ...changedFactors(t), ...recoveryCodes(t) }),
});

mutation('confirmPassword', {
  description:
    'Confirms the password of the viewer. For the next ten minutes calls that need a recent sign-in are accepted.',
  authScopes: { account: true },
  input: (t) => ({
    password: t.string({
      rule: secretRule,
      description: 'The password of the viewer.',
    }),
  }),
  resolve: async ({ password }, context) => {
    await confirmPassword({ ...ownerOf(context), password }, context);
    return {};
  },
  payload: (t) => ({ success: t.boolean(alwaysTrue) }),
});

mutation('startPasskey', {
  description: 'Starts to add a passkey. Needs a recent sign-in.',
  authScopes: { account: true },
  resolve: async (_, context) => ({ options: await startPasskey(ownerOf(context), context) }),
  payload: (t) => ({
    options: t.expose('options', {
      type: 'PasskeyCreationOptions',
      description:
        'What a browser needs to create the passkey. The options are valid for five minutes.',
    }),
  }),
});

mutation('addPasskey', {
  description:
    'Adds the passkey that a browser created with the options of `startPasskey`. For the first second factor of the account all other sessions end and the payload has recovery codes.',
  authScopes: { account: true },
  input: (t) => ({
    name: t.field({
      type: 'String',
      rule: passkeyNameRule,
      description: 'The name by which its owner recognizes the passkey.',
    }),
    response: t.field({
      type: 'PasskeyRegistration',
      description: 'What the browser returned when it created the passkey.',
    }),
  }),
  resolve: async ({ name: label, response }, context) => ({
    recoveryCodes: await addPasskey({ ...ownerOf(context), label, response }, context),
  }),
  payload: (t) => ({ ...changedFactors(t), ...recoveryCodes(t) }),
});

mutation('renamePasskey', {
  description: 'Changes the name of a passkey.',
  authScopes: { account: true },
  input: (t) => ({
    id: t.field({ type: 'ID', description: 'The id of the passkey.' }),
    name: t.field({ type: 'String', rule: passkeyNameRule, description: 'The new name.' }),
  }),
  resolve: async ({ id, name: label }, context) => {
    const { userId } = ownerOf(context);
    await renamePasskey({ id, userId, label }, context);
    return { id };
  },
  payload: (t) => ({
    passkey: t.prismaField({
      type: Passkey,
      description: 'The passkey with its new name.',
      resolve: (query, { id }, _, { database }) =>
        database.prisma.passkey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

mutation('removePasskey', {
  description: 'Removes a passkey. Needs a recent sign-in.',
  authScopes: { account: true },
  input: (t) => ({ id: t.field({ type: 'ID', description: 'The id of the passkey.' }) }),
  resolve: async ({ id }, context) => {
    await removePasskey({ ...ownerOf(context), id }, context);
    return { removedPasskeyId: id };
  },
  payload: (t) => ({
    ...changedFactors(t),
    removedPasskeyId: t.exposeID('removedPasskeyId', {
      description: 'The id of the removed passkey.',
    }),
  }),
});
