import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { Env } from '../../platform/env.ts';
import { parseEmailAddress } from '../users/email-address.ts';

type Settings = NonNullable<Env['SIGN_IN_PROVIDERS']>;
type Profile = {
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
  given_name?: unknown;
  family_name?: unknown;
};

const text = (value: unknown) =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, '')
        .trim()
        .slice(0, 100)
    : '';

/** What we take of a profile: the address in the form that we keep, and the two names. */
function personIn({ email: written, name, given_name, family_name }: Profile) {
  const email = parseEmailAddress(written);
  return {
    ...(email && { email }),
    name: text(given_name) || text(name) || (email?.split('@')[0] ?? ''),
    lastName: text(given_name) && text(family_name),
  };
}

/**
 * The other sites where people can sign in, as better-auth wants to know of them. Their word on an
 * address counts only where they have checked it.
 */
export function providersOf({ google, github, microsoft, oidc }: Settings) {
  const vouched = (profile: Profile, emailVerified: boolean) => ({
    ...personIn(profile),
    emailVerified,
  });
  const isVerified = (profile: Profile) => profile.email_verified === true;
  const generic: GenericOAuthConfig[] = oidc
    ? [
        {
          providerId: 'oidc',
          clientId: oidc.clientId,
          clientSecret: oidc.clientSecret,
          discoveryUrl: `${oidc.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
          mapProfileToUser: (profile) => vouched(profile, oidc.trustEmail || isVerified(profile)),
        },
      ]
    : [];
  return {
    generic,
    social: {
      ...(google && {
        google: {
          ...google,
          disableIdTokenSignIn: true,
          mapProfileToUser: (profile: Profile) => vouched(profile, isVerified(profile)),
        },
      }),
      // Whether GitHub has checked an address stands in another of its answers, which better-auth
      // reads.
      ...(github && { github: { ...github, mapProfileToUser: personIn } }),
      // A directory of one's own says who its people are; Microsoft does not check addresses.
      ...(microsoft && {
        microsoft: {
          ...microsoft,
          disableIdTokenSignIn: true,
          disableProfilePhoto: true,
          mapProfileToUser: (profile: Profile) => vouched(profile, true),
        },
      }),
    },
  };
}
