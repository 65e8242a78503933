import type { Env } from '../../../platform/env.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';

type SignInProvider = { id: string; name: string };

/** The ways to sign in and to sign up. */
export type SignInOptions = {
  signUp: Env['SIGN_UP'];
  emailVerification: Env['EMAIL_VERIFICATION'];
  providers: readonly SignInProvider[];
};

declare module '../../../access/context.ts' {
  interface Services {
    mail: Mailer;
    signInOptions: SignInOptions;
  }
}

const names = { google: 'Google', github: 'GitHub', microsoft: 'Microsoft' } as const;

export function readSignInOptions({
  SIGN_UP,
  EMAIL_VERIFICATION,
  SIGN_IN_PROVIDERS,
}: Env): SignInOptions {
  const { oidc, ...social } = SIGN_IN_PROVIDERS ?? {};
  const providers = [
    ...Object.entries(names).flatMap(([id, name]) =>
      Object.hasOwn(social, id) ? [{ id, name }] : [],
    ),
    ...(oidc ? [{ id: 'oidc', name: oidc.name }] : []),
  ];
  return { signUp: SIGN_UP, emailVerification: EMAIL_VERIFICATION, providers };
}
