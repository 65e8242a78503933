import { displayName } from '../../ui/labels.ts';
import type { AuditEntryFieldsFragment } from './documents.ts';

type AuditEntryText = Pick<
  AuditEntryFieldsFragment,
  'action' | 'actorKind' | 'actorName' | 'targetName' | 'targetType' | 'user' | 'changes'
>;
/**
 * `person` and `address` name the person the change is about; `quoted` returns a recorded text in
 * quotes.
 */
type SentenceParts = {
  target: string;
  person: string;
  address: string;
  role: string;
  policy: string;
  quoted: (name: string) => string;
  quotedBefore: (name: string) => string;
};

/** The name of the actor, as far as it is known. */
export function describeActor({
  actorKind,
  actorName,
}: Pick<AuditEntryText, 'actorKind' | 'actorName'>): string {
  if (actorKind === 'SYSTEM') return 'Atrium';
  if (actorKind === 'ORGANIZATION_KEY')
    return actorName === null ? 'A key of the organization' : `The key “${actorName}”`;
  return actorName ?? 'A former member';
}

/** What the actor did. Each text follows the actor's name in a sentence. */
const sentences: Record<string, (parts: SentenceParts) => string> = {
  'complete-setup': () => 'set up the organization',
  'sign-in': () => 'signed in',
  'fail-sign-in': ({ person }) => `rejected a sign-in as ${person} with a wrong password`,
  'sign-out': () => 'signed out',
  'request-password-reset': ({ person }) => `received a request for a password link for ${person}`,
  'reset-password': () => 'chose a new password with an e-mail link',
  'change-password': () => 'changed the password',
  'delete-account': () => 'deleted their account',
  'use-second-factor': () => 'signed in with a second factor',
  'use-recovery-code': () => 'used a recovery code',
  'fail-second-factor': ({ person }) => `rejected a sign-in as ${person} with a wrong code`,
  'add-authenticator-app': () => 'set up an authenticator app',
  'remove-authenticator-app': () => 'removed the authenticator app',
  'add-passkey': () => 'added a passkey',
  'remove-passkey': () => 'removed a passkey',
  'renew-recovery-codes': () => 'created new recovery codes',
  'rename-organization': ({ quoted }) => `renamed the organization to ${quoted('name')}`,
  'set-second-factor-policy': ({ policy }) => policy,
  'set-retention-settings': () => 'changed what is kept of conversations and runs',
  'expire-audit-entries': () => 'deleted audit entries whose retention had ended',
  'sweep-conversations': () => 'deleted conversations whose retention had ended',
  'erase-conversations': () => 'deleted all of their conversations',
  'delete-conversation': () => 'deleted one of their conversations',
  'share-conversation': () => 'shared one of their conversations by a link',
  'unshare-conversation': () => 'ended the link of one of their conversations',
  'set-organization-terms': () => 'changed the terms of the organization',
  'create-user': ({ address }) => `created the member ${address}`,
  'add-user': ({ address }) => `added ${address}`,
  'remove-user': ({ address }) => `removed ${address}`,
  'leave-organization': ({ address }) =>
    `ended the membership of ${address}, who left the organization`,
  'update-user': ({ person }) => `changed the name of ${person}`,
  'set-user-role': ({ person, role }) => `made ${person} ${role}`,
  'invite-member': ({ address, role }) => `invited ${address} as ${role}`,
  'resend-invitation': ({ address }) => `created a new invitation link for ${address}`,
  'revoke-invitation': ({ address }) => `revoked the invitation of ${address}`,
  'accept-invitation': ({ role }) => `accepted the invitation and became ${role}`,
  'create-budget': () => 'created a budget',
  'update-budget': () => 'changed a budget',
  'delete-budget': () => 'deleted a budget',
  'create-webhook-endpoint': ({ quoted }) => `created a webhook to ${quoted('host')}`,
  'update-webhook-endpoint': ({ quoted }) => `changed the webhook to ${quoted('host')}`,
  'delete-webhook-endpoint': ({ quoted }) => `deleted the webhook to ${quoted('host')}`,
  'rotate-webhook-secret': () => 'made a new secret for a webhook',
  'send-test-webhook': () => 'sent a test to a webhook',
  'replay-webhooks': () => 'sent the events of a period to a webhook again',
  'retry-webhook-delivery': () => 'sent an event to a webhook again',
  'disable-webhook-endpoint': () => 'disabled a webhook that cannot be reached',
  'create-team': ({ quoted }) => `created the team ${quoted('name')}`,
  'rename-team': ({ quoted, quotedBefore }) =>
    `renamed the team ${quotedBefore('name')} to ${quoted('name')}`,
  'delete-team': ({ quoted }) => `deleted the team ${quoted('name')}`,
  'add-team-user': ({ target, person }) => `added ${person} to the team ${target}`,
  'remove-team-user': ({ target, person }) => `removed ${person} from the team ${target}`,
  'create-user-key': ({ quoted }) => `created the user key ${quoted('name')}`,
  'create-organization-key': ({ quoted }) => `created the organization key ${quoted('name')}`,
  'take-over-key': ({ target }) => `became responsible for the key ${target}`,
  'set-api-key-limit': ({ target }) => `changed the rate limit of the key ${target}`,
  'set-api-key-limit-max': ({ target }) => `changed the maximum rate limit of the key ${target}`,
  'revoke-api-key': ({ target }) => `revoked the key ${target}`,
  'create-campaign': ({ target }) => `created the campaign ${target}`,
  'update-campaign': ({ target }) => `changed the campaign ${target}`,
  'set-campaign-pricing': ({ target }) => `set the price of the campaign ${target}`,
  'create-link': ({ target }) => `created the link ${target}`,
  'update-link': ({ target }) => `changed the link ${target}`,
  'set-link-password': ({ target }) => `changed the password of the link ${target}`,
  'complete-redemption': () => 'redeemed a sponsored link',
  'extend-redemption': () => 'extended a sponsorship',
  'set-redemption-billing': () => 'changed the billing of a sponsorship',
  'create-assistant': ({ target }) => `created the assistant ${target}`,
  'update-assistant': ({ target }) => `changed the assistant ${target}`,
  'delete-assistant': ({ quoted }) => `deleted the assistant ${quoted('name')}`,
  'share-assistant': ({ target }) => `shared the assistant ${target}`,
  'unshare-assistant': ({ target }) => `stopped sharing the assistant ${target}`,
  'upload-file': ({ quoted }) => `uploaded ${quoted('originalName')}`,
  'replace-file': ({ target }) => `replaced the file ${target}`,
  'delete-file': ({ quoted }) => `deleted the file ${quoted('originalName')}`,
  'complete-file': ({ target }) => `processed the file ${target}`,
  'fail-file': ({ target }) => `could not process the file ${target}`,
  'complete-run': () => 'completed a run',
  'fail-run': () => 'ended a run without a result',
  'cancel-run': () => 'ended a run that was cancelled',
  'warn-budget': () => 'counted 80 % of a budget as used',
  'exhaust-budget': () => 'counted a budget as used up',
  'announce-key-expiry': ({ target }) => `announced that the key ${target} expires soon`,
  'announce-redemption-end': () => 'announced that a sponsorship ends soon',
  'end-redemption': () => 'ended a sponsorship',
};

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');
const quote = (text: string) => `“${text || '…'}”`;

const policies: Record<string, string> = {
  OPTIONAL: 'made the second factor optional',
  ADMINISTRATORS: 'made the second factor required for administrators',
  EVERYBODY: 'made the second factor required for everybody',
};

export const actions: readonly string[] = Object.keys(sentences);

/** Describes the action of an entry. An action that has no text here is shown by its name. */
export function describeAction({
  action,
  targetName,
  targetType,
  user,
  changes,
}: AuditEntryText): string {
  const changeOf = (name: string) => changes.find(({ field }) => field === name);
  const textOfChange = (name: string) => textOr(changeOf(name)?.value);
  const name = targetName ?? (textOfChange('name') || textOfChange('originalName'));
  const person = user
    ? displayName(user)
    : (targetType === 'User' && targetName) || 'a former member';
  const parts = {
    target: name ? `“${name}”` : '(deleted)',
    person,
    address: textOfChange('email') || person,
    role: textOfChange('role') === 'ADMIN' ? 'an administrator' : 'a member',
    policy: policies[textOfChange('secondFactorPolicy')] ?? 'changed who needs a second factor',
    quoted: (key: string) => quote(textOfChange(key)),
    quotedBefore: (key: string) => quote(textOr(changeOf(key)?.before)),
  };
  const sentence = Object.hasOwn(sentences, action) ? sentences[action] : undefined;
  return sentence
    ? sentence(parts)
    : `performed “${action.replaceAll('-', ' ')}”${name ? ` on ${parts.target}` : ''}`;
}

/** The label of an action in the filter list. */
export const actionLabel = (action: string): string => {
  const text = action.replaceAll('-', ' ').replace('api key', 'key');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
