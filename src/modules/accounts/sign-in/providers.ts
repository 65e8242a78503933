import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { Env } from '../../../platform/env.ts';
import { isVisible, namesSite, withoutDirectionControls } from '../../../platform/plain-text.ts';
import { parseEmailAddress } from '../../users/email-address.ts';

type ProviderSettings = NonNullable<Env['SIGN_IN_PROVIDERS']>;
type ProviderProfile = {
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
  given_name?: unknown;
  family_name?: unknown;
};

const nameCharactersMax = 100;

/**
 * A name that a provider tells, under the rules for one that a person types: other people read it
 * in mails and in the console. Empty if it is missing, invisible or the address of a site.
 */
function nameOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const plain = withoutDirectionControls(value.toWellFormed().replaceAll(/\p{Cc}/gu, '')).trim();
  const name = [...plain.slice(0, 2 * nameCharactersMax)].slice(0, nameCharactersMax).join('');
  return isVisible(name) && !namesSite(name) ? name : '';
}

/** The e-mail address in the form in which we store it, and the two names. */
function toPerson({ email: providerEmail, name, given_name, family_name }: ProviderProfile) {
  const email = parseEmailAddress(providerEmail);
  return {
    ...(email && { email }),
    name: nameOf(given_name) || nameOf(name) || (email?.split('@')[0] ?? ''),
    lastName: nameOf(given_name) && nameOf(family_name),
  };
}

/**
 * The configuration of the sign-in providers for better-auth. A provider's e-mail address counts as
 * verified only if the provider has verified it.
 */
export function providersOf({ google, github, microsoft, oidc }: ProviderSettings) {
  const toUser = (profile: ProviderProfile, emailVerified: boolean) => ({
    ...toPerson(profile),
    emailVerified,
  });
  const isVerified = (profile: ProviderProfile) => profile.email_verified === true;
  const generic: GenericOAuthConfig[] = oidc
    ? [
        {
          providerId: 'oidc',
          clientId: oidc.clientId,
          clientSecret: oidc.clientSecret,
          discoveryUrl: `${oidc.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
          mapProfileToUser: (profile) => toUser(profile, oidc.trustEmail || isVerified(profile)),
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
          mapProfileToUser: (profile: ProviderProfile) => toUser(profile, isVerified(profile)),
        },
      }),
      // GitHub reports in a separate response whether an address is verified; better-auth reads it.
      ...(github && { github: { ...github, mapProfileToUser: toPerson } }),
      // Microsoft does not verify addresses. The tenant's own directory vouches for the addresses
      // of its members.
      ...(microsoft && {
        microsoft: {
          ...microsoft,
          disableIdTokenSignIn: true,
          disableProfilePhoto: true,
          mapProfileToUser: (profile: ProviderProfile) => toUser(profile, true),
        },
      }),
    },
  };
}
