import { displayName } from '../display-name.ts';
import type { EntryPartsFragment } from './documents.ts';

type Told = Pick<
  EntryPartsFragment,
  'action' | 'actorKind' | 'actorName' | 'targetName' | 'targetType' | 'user' | 'changes'
>;
/** `person` and `address` are whom the change concerns, `quoted` is a text that it noted. */
type Words = {
  target: string;
  person: string;
  address: string;
  role: string;
  policy: string;
  quoted: (name: string) => string;
};

/** Who acted, as far as they can be named. */
export function actorOf({ actorKind, actorName }: Pick<Told, 'actorKind' | 'actorName'>): string {
  if (actorKind === 'SYSTEM') return 'Atrium';
  if (actorKind === 'ORGANIZATION_KEY')
    return actorName === null ? 'A key of the organization' : `The key “${actorName}”`;
  return actorName ?? 'Somebody who has left';
}

/** What was done, each to be read after the name of who did it. */
const sentences: Record<string, (words: Words) => string> = {
  'complete-setup': () => 'set up the organization',
  'sign-in': () => 'signed in',
  'fail-sign-in': ({ person }) => `refused a sign-in as ${person} with a wrong password`,
  'sign-out': () => 'signed out',
  'request-password-reset': ({ person }) =>
    `was asked for a link with which ${person} can choose a new password`,
  'reset-password': () => 'chose a new password by a link from a mail',
  'change-password': () => 'changed the password',
  'delete-account': () => 'deleted their account',
  'use-second-factor': () => 'showed a second factor',
  'use-recovery-code': () => 'used a recovery code',
  'fail-second-factor': ({ person }) => `refused a sign-in as ${person} with a wrong code`,
  'add-authenticator-app': () => 'set up an authenticator app',
  'remove-authenticator-app': () => 'removed the authenticator app',
  'add-passkey': () => 'added a passkey',
  'remove-passkey': () => 'removed a passkey',
  'renew-recovery-codes': () => 'made new recovery codes',
  'rename-organization': ({ quoted }) => `renamed the organization to ${quoted('name')}`,
  'set-second-factor-policy': ({ policy }) => policy,
  'set-organization-terms': () => 'changed what the organization is given',
  'create-user': ({ address }) => `made ${address} a member`,
  'add-user': ({ address }) => `added ${address}`,
  'remove-user': ({ address }) => `removed ${address}`,
  'leave-organization': ({ address }) => `ended the membership of ${address}, who wanted to leave`,
  'set-user-role': ({ person, role }) => `made ${person} ${role}`,
  'invite-member': ({ address, role }) => `invited ${address} as ${role}`,
  'resend-invitation': ({ address }) => `made a new link for the invitation of ${address}`,
  'revoke-invitation': ({ address }) => `withdrew the invitation of ${address}`,
  'accept-invitation': ({ role }) => `accepted the invitation and became ${role}`,
  'create-team': ({ quoted }) => `made the team ${quoted('name')}`,
  'rename-team': ({ quoted }) => `renamed the team ${quoted('before')} to ${quoted('name')}`,
  'delete-team': ({ quoted }) => `deleted the team ${quoted('name')}`,
  'add-team-user': ({ target, person }) => `put ${person} into the team ${target}`,
  'remove-team-user': ({ target, person }) => `took ${person} out of the team ${target}`,
  'create-user-key': ({ quoted }) => `made a key of their own, ${quoted('name')}`,
  'create-organization-key': ({ quoted }) => `made the organization key ${quoted('name')}`,
  'take-over-key': ({ target }) => `became responsible for the key ${target}`,
  'set-api-key-limit': ({ target }) => `changed how many requests the key ${target} may send`,
  'set-api-key-limit-max': ({ target }) =>
    `changed how many requests the key ${target} may send at most`,
  'revoke-api-key': ({ target }) => `revoked the key ${target}`,
  'create-campaign': ({ target }) => `made the campaign ${target}`,
  'update-campaign': ({ target }) => `changed the campaign ${target}`,
  'set-campaign-pricing': ({ target }) => `set the price of the campaign ${target}`,
  'create-link': ({ target }) => `made the link ${target}`,
  'update-link': ({ target }) => `changed the link ${target}`,
  'set-link-password': ({ target }) => `changed the password of the link ${target}`,
  'complete-redemption': () => 'redeemed a sponsored link',
  'extend-redemption': () => 'extended a sponsorship',
  'set-redemption-billing': () => 'changed the billing of a sponsorship',
  'create-assistant': ({ target }) => `made the assistant ${target}`,
  'update-assistant': ({ target }) => `changed the assistant ${target}`,
  'delete-assistant': ({ quoted }) => `deleted the assistant ${quoted('name')}`,
  'share-assistant': ({ target }) => `shared the assistant ${target}`,
  'unshare-assistant': ({ target }) => `stopped sharing the assistant ${target}`,
  'upload-file': ({ quoted }) => `uploaded ${quoted('originalName')}`,
  'replace-file': ({ target }) => `replaced the file ${target}`,
  'delete-file': ({ quoted }) => `deleted the file ${quoted('originalName')}`,
};

const policies: Record<string, string> = {
  OPTIONAL: 'no longer required a second factor',
  ADMINISTRATORS: 'required a second factor of administrators',
  EVERYBODY: 'required a second factor of everybody',
};

export const actions: readonly string[] = Object.keys(sentences);

/** An action without words of its own is told by its name. */
export function deedOf({ action, targetName, targetType, user, changes }: Told): string {
  const known: Record<string, unknown> = Object(changes);
  const change = (name: string) => (typeof known[name] === 'string' ? known[name] : '');
  const name = targetName ?? (change('name') || change('originalName'));
  const person = user
    ? displayName(user)
    : (targetType === 'User' && targetName) || 'somebody who has left';
  const words = {
    target: name ? `“${name}”` : 'that is gone',
    person,
    address: change('email') || person,
    role: change('role') === 'ADMIN' ? 'an administrator' : 'a member',
    policy: policies[change('secondFactorPolicy')] ?? 'changed who needs a second factor',
    quoted: (noted: string) => `“${change(noted) || '…'}”`,
  };
  const sentence = Object.hasOwn(sentences, action) ? sentences[action] : undefined;
  return sentence
    ? sentence(words)
    : `did “${action.replaceAll('-', ' ')}”${name ? ` to ${words.target}` : ''}`;
}

/** The name of an action as a choice in a list. */
export const actionLabel = (action: string): string => {
  const text = action.replaceAll('-', ' ').replace('api key', 'key');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
