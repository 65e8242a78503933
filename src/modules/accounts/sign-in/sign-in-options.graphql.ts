import { builder } from '../../../graph/schema/builder.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { SignInOptions } from './sign-in-options.ts';

const SignUp = builder.enumType('SignUp', {
  description:
    'Who may create an account: anybody, or only people with a sponsored link or an invitation.',
  values: {
    OPEN: { description: 'Everybody may create an account.' },
    BY_LINK: {
      description: 'Only people with a sponsored link or an invitation may create an account.',
    },
  } as const,
});

const SignInProvider = builder
  .objectRef<SignInOptions['providers'][number]>('SignInProvider')
  .implement({
    description: 'An external service that people can sign in with.',
    fields: (t) => ({
      id: t.exposeString('id', {
        description: 'The id of the provider in the addresses of the sign-in, such as `google`.',
      }),
      name: t.exposeString('name', { description: 'The display name.' }),
    }),
  });

const SignInOptionsType = builder
  .objectRef<SignInOptions & { mail: Mailer }>('SignInOptions')
  .implement({
    description: 'The ways to sign in and to sign up.',
    fields: (t) => ({
      signUp: t.field({
        type: SignUp,
        description: 'Who may create an account.',
        resolve: ({ signUp }) => (signUp === 'open' ? 'OPEN' : 'BY_LINK'),
      }),
      providers: t.field({
        type: [SignInProvider],
        description:
          'The external providers that people can sign in with. Empty if none is configured.',
        resolve: ({ providers }) => [...providers],
      }),
      mail: t.boolean({
        description: 'Whether Atrium sends mail. Without mail nobody can reset their own password.',
        resolve: ({ mail }) => mail.kind !== 'none',
      }),
      emailVerification: t.boolean({
        description: 'Whether an e-mail address must be confirmed before its first sign-in.',
        resolve: ({ emailVerification }) => emailVerification === 'required',
      }),
    }),
  });

builder.queryField('signInOptions', (t) =>
  t.field({
    type: SignInOptionsType,
    description: 'The ways to sign in and to sign up. Everybody may read them.',
    // This field needs no scope: the sign-in page queries it.
    authScopes: {},
    resolve: (_, __, { signInOptions, mail }) => ({ ...signInOptions, mail }),
  }),
);
