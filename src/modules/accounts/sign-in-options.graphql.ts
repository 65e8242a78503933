import { builder } from '../../graph/builder.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { SignInOptions } from './sign-in-options.ts';

const SignUp = builder.enumType('SignUp', {
  description:
    'Who may make an account: anybody, or whoever comes by a sponsored link or an invitation.',
  values: ['OPEN', 'BY_LINK'] as const,
});

const SignInProvider = builder
  .objectRef<SignInOptions['providers'][number]>('SignInProvider')
  .implement({
    description: 'Another site where people can sign in.',
    fields: (t) => ({
      id: t.exposeString('id'),
      name: t.exposeString('name', { description: 'What people call it.' }),
    }),
  });

const SignInOptionsType = builder
  .objectRef<SignInOptions & { mail: Mailer }>('SignInOptions')
  .implement({
    description: 'How people can come in here.',
    fields: (t) => ({
      signUp: t.field({
        type: SignUp,
        resolve: ({ signUp }) => (signUp === 'open' ? 'OPEN' : 'BY_LINK'),
      }),
      providers: t.field({ type: [SignInProvider], resolve: ({ providers }) => [...providers] }),
      mail: t.boolean({
        description: 'Whether mail goes out; without it nobody can reset a password alone.',
        resolve: ({ mail }) => mail.kind !== 'none',
      }),
      emailVerification: t.boolean({
        description: 'Whether an address must be confirmed before anybody signs in with it.',
        resolve: ({ emailVerification }) => emailVerification === 'required',
      }),
    }),
  });

builder.queryField('signInOptions', (t) =>
  t.field({
    type: SignInOptionsType,
    // Open on purpose: the page where people sign in asks it.
    authScopes: {},
    resolve: (_, __, { signInOptions, mail }) => ({ ...signInOptions, mail }),
  }),
);
