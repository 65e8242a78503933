import { nameOf } from '../name-of.ts';
import type { EntryPartsFragment } from './documents.ts';

type Told = Pick<EntryPartsFragment, 'action' | 'actorKind' | 'actorName' | 'targetName' | 'targetType' | 'user' | 'changes'>;
type Words = { target: string; person: string; change: (name: string) => string };

/** Who acted, as far as they can be named. */
export function actorOf({ actorKind, actorName }: Pick<Told, 'actorKind' | 'actorName'>): string {
  if (actorKind === 'SYSTEM') return 'Atrium';
  if (actorKind === 'ORGANIZATION_KEY') return actorName === null ? 'A key of the organization' : `The key “${actorName}”`;
  return actorName ?? 'Somebody who has left';
}

const role = ({ change }: Words) => (change('role') === 'ADMIN' ? 'an administrator' : 'a member');

/** What was done, each to be read after the name of who did it. */
const deeds: Record<string, (words: Words) => string> = {
  'complete-setup': () => 'set up the organization',
  'rename-organization': ({ change }) => `renamed the organization to “${change('name')}”`,
  'set-organization-terms': () => 'changed what the organization is given',
  'create-user': ({ change, person }) => `made ${change('email') || person} a member`,
  'add-user': ({ change, person }) => `added ${change('email') || person}`,
  'remove-user': ({ person }) => `removed ${person}`,
  'set-user-role': (words) => `made ${words.person} ${role(words)}`,
  'invite-member': (words) => `invited ${words.change('email')} as ${role(words)}`,
  'resend-invitation': ({ change }) => `made a new link for the invitation of ${change('email')}`,
  'revoke-invitation': ({ change }) => `withdrew the invitation of ${change('email')}`,
  'accept-invitation': (words) => `accepted the invitation and became ${role(words)}`,
  'create-team': ({ change }) => `made the team “${change('name')}”`,
  'rename-team': ({ change }) => `renamed the team “${change('before')}” to “${change('name')}”`,
  'delete-team': ({ change }) => `deleted the team “${change('name')}”`,
  'add-team-user': ({ target, person }) => `put ${person} into the team ${target}`,
  'remove-team-user': ({ target, person }) => `took ${person} out of the team ${target}`,
  'create-user-key': ({ change }) => `made a key of their own, “${change('name')}”`,
  'create-organization-key': ({ change }) => `made the organization key “${change('name')}”`,
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
  'delete-assistant': ({ change }) => `deleted the assistant “${change('name')}”`,
  'share-assistant': ({ target }) => `shared the assistant ${target}`,
  'unshare-assistant': ({ target }) => `stopped sharing the assistant ${target}`,
  'upload-file': ({ change }) => `uploaded “${change('originalName')}”`,
  'replace-file': ({ target }) => `replaced the file ${target}`,
  'delete-file': ({ change }) => `deleted the file “${change('originalName')}”`,
};

export const actions: readonly string[] = Object.keys(deeds);

/** An action without words of its own is told by its name. */
export function deedOf({ action, targetName, targetType, user, changes }: Told): string {
  const known: Record<string, unknown> = Object(changes);
  const change = (name: string) => (typeof known[name] === 'string' ? known[name] : '');
  const name = targetName ?? (change('name') || change('originalName'));
  const words = {
    target: name ? `“${name}”` : 'that is gone',
    person: user ? nameOf(user) : (targetType === 'User' && targetName) || 'somebody who has left',
    change,
  };
  const deed = deeds[action];
  return deed ? deed(words) : `did “${action.replaceAll('-', ' ')}”${name ? ` to ${words.target}` : ''}`;
}

/** The name of an action as a choice in a list. */
export const actionLabel = (action: string): string => {
  const text = action.replaceAll('-', ' ').replace('api key', 'key');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
