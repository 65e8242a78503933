import type { MessageKey, PlainKey } from '../../texts/catalogue.ts';
import { t, textWith } from '../../texts/text.ts';
import { displayName } from '../../ui/labels.ts';
import type { AuditEntryFieldsFragment } from './documents.ts';

type AuditEntryText = Pick<
  AuditEntryFieldsFragment,
  'action' | 'actorKind' | 'actorName' | 'targetName' | 'targetType' | 'user' | 'changes'
>;

/** The name of the actor, as far as it is known. */
export function describeActor({
  actorKind,
  actorName,
}: Pick<AuditEntryText, 'actorKind' | 'actorName'>): string {
  // Older redemptions were recorded as changes of Atrium itself, with the person.
  if (actorKind === 'SYSTEM') return actorName ?? 'Atrium';
  if (actorKind === 'ORGANIZATION_KEY')
    return actorName === null ? t('audit.unknownKey') : t('audit.namedKey', { name: actorName });
  return actorName ?? t('audit.formerMember');
}

/** Each action with the text that follows the actor's name in a sentence, and its label. */
const actionTexts: Record<string, { sentence: MessageKey; label: PlainKey }> = {
  'complete-setup': { sentence: 'audit.completeSetup', label: 'actions.completeSetup' },
  'sign-in': { sentence: 'audit.signIn', label: 'actions.signIn' },
  'fail-sign-in': { sentence: 'audit.failSignIn', label: 'actions.failSignIn' },
  'sign-out': { sentence: 'audit.signOut', label: 'actions.signOut' },
  'request-password-reset': {
    sentence: 'audit.requestPasswordReset',
    label: 'actions.requestPasswordReset',
  },
  'reset-password': { sentence: 'audit.resetPassword', label: 'actions.resetPassword' },
  'change-password': { sentence: 'audit.changePassword', label: 'actions.changePassword' },
  'delete-account': { sentence: 'audit.deleteAccount', label: 'actions.deleteAccount' },
  'use-second-factor': { sentence: 'audit.useSecondFactor', label: 'actions.useSecondFactor' },
  'use-recovery-code': { sentence: 'audit.useRecoveryCode', label: 'actions.useRecoveryCode' },
  'fail-second-factor': { sentence: 'audit.failSecondFactor', label: 'actions.failSecondFactor' },
  'add-authenticator-app': {
    sentence: 'audit.addAuthenticatorApp',
    label: 'actions.addAuthenticatorApp',
  },
  'remove-authenticator-app': {
    sentence: 'audit.removeAuthenticatorApp',
    label: 'actions.removeAuthenticatorApp',
  },
  'add-passkey': { sentence: 'audit.addPasskey', label: 'actions.addPasskey' },
  'remove-passkey': { sentence: 'audit.removePasskey', label: 'actions.removePasskey' },
  'renew-recovery-codes': {
    sentence: 'audit.renewRecoveryCodes',
    label: 'actions.renewRecoveryCodes',
  },
  'set-sponsor-branding': {
    sentence: 'audit.setSponsorBranding',
    label: 'actions.setSponsorBranding',
  },
  'rename-organization': {
    sentence: 'audit.renameOrganization',
    label: 'actions.renameOrganization',
  },
  'set-second-factor-policy': {
    sentence: 'audit.setSecondFactorPolicy',
    label: 'actions.setSecondFactorPolicy',
  },
  'set-retention-settings': {
    sentence: 'audit.setRetentionSettings',
    label: 'actions.setRetentionSettings',
  },
  'expire-audit-entries': {
    sentence: 'audit.expireAuditEntries',
    label: 'actions.expireAuditEntries',
  },
  'sweep-conversations': {
    sentence: 'audit.sweepConversations',
    label: 'actions.sweepConversations',
  },
  'erase-conversations': {
    sentence: 'audit.eraseConversations',
    label: 'actions.eraseConversations',
  },
  'delete-conversation': {
    sentence: 'audit.deleteConversation',
    label: 'actions.deleteConversation',
  },
  'share-conversation': { sentence: 'audit.shareConversation', label: 'actions.shareConversation' },
  'unshare-conversation': {
    sentence: 'audit.unshareConversation',
    label: 'actions.unshareConversation',
  },
  'share-answer': { sentence: 'audit.shareAnswer', label: 'actions.shareAnswer' },
  'unshare-answer': { sentence: 'audit.unshareAnswer', label: 'actions.unshareAnswer' },
  'set-organization-terms': {
    sentence: 'audit.setOrganizationTerms',
    label: 'actions.setOrganizationTerms',
  },
  'create-user': { sentence: 'audit.createUser', label: 'actions.createUser' },
  'add-user': { sentence: 'audit.addUser', label: 'actions.addUser' },
  'remove-user': { sentence: 'audit.removeUser', label: 'actions.removeUser' },
  'leave-organization': { sentence: 'audit.leaveOrganization', label: 'actions.leaveOrganization' },
  'update-user': { sentence: 'audit.updateUser', label: 'actions.updateUser' },
  'set-user-role': { sentence: 'audit.setUserRole', label: 'actions.setUserRole' },
  'invite-member': { sentence: 'audit.inviteMember', label: 'actions.inviteMember' },
  'resend-invitation': { sentence: 'audit.resendInvitation', label: 'actions.resendInvitation' },
  'invite-to-link': { sentence: 'audit.inviteToLink', label: 'actions.inviteToLink' },
  'resend-link-invitation': {
    sentence: 'audit.resendLinkInvitation',
    label: 'actions.resendLinkInvitation',
  },
  'revoke-link-invitation': {
    sentence: 'audit.revokeLinkInvitation',
    label: 'actions.revokeLinkInvitation',
  },
  'revoke-invitation': { sentence: 'audit.revokeInvitation', label: 'actions.revokeInvitation' },
  'accept-invitation': { sentence: 'audit.acceptInvitation', label: 'actions.acceptInvitation' },
  'create-budget': { sentence: 'audit.createBudget', label: 'actions.createBudget' },
  'update-budget': { sentence: 'audit.updateBudget', label: 'actions.updateBudget' },
  'delete-budget': { sentence: 'audit.deleteBudget', label: 'actions.deleteBudget' },
  'create-webhook-endpoint': {
    sentence: 'audit.createWebhookEndpoint',
    label: 'actions.createWebhookEndpoint',
  },
  'update-webhook-endpoint': {
    sentence: 'audit.updateWebhookEndpoint',
    label: 'actions.updateWebhookEndpoint',
  },
  'delete-webhook-endpoint': {
    sentence: 'audit.deleteWebhookEndpoint',
    label: 'actions.deleteWebhookEndpoint',
  },
  'rotate-webhook-secret': {
    sentence: 'audit.rotateWebhookSecret',
    label: 'actions.rotateWebhookSecret',
  },
  'send-test-webhook': { sentence: 'audit.sendTestWebhook', label: 'actions.sendTestWebhook' },
  'replay-webhooks': { sentence: 'audit.replayWebhooks', label: 'actions.replayWebhooks' },
  'retry-webhook-delivery': {
    sentence: 'audit.retryWebhookDelivery',
    label: 'actions.retryWebhookDelivery',
  },
  'disable-webhook-endpoint': {
    sentence: 'audit.disableWebhookEndpoint',
    label: 'actions.disableWebhookEndpoint',
  },
  'create-team': { sentence: 'audit.createTeam', label: 'actions.createTeam' },
  'rename-team': { sentence: 'audit.renameTeam', label: 'actions.renameTeam' },
  'delete-team': { sentence: 'audit.deleteTeam', label: 'actions.deleteTeam' },
  'add-team-user': { sentence: 'audit.addTeamUser', label: 'actions.addTeamUser' },
  'remove-team-user': { sentence: 'audit.removeTeamUser', label: 'actions.removeTeamUser' },
  'create-user-key': { sentence: 'audit.createUserKey', label: 'actions.createUserKey' },
  'create-organization-key': {
    sentence: 'audit.createOrganizationKey',
    label: 'actions.createOrganizationKey',
  },
  'take-over-key': { sentence: 'audit.takeOverKey', label: 'actions.takeOverKey' },
  'set-api-key-limit': { sentence: 'audit.setApiKeyLimit', label: 'actions.setApiKeyLimit' },
  'set-api-key-limit-max': {
    sentence: 'audit.setApiKeyLimitMax',
    label: 'actions.setApiKeyLimitMax',
  },
  'revoke-api-key': { sentence: 'audit.revokeApiKey', label: 'actions.revokeApiKey' },
  'create-campaign': { sentence: 'audit.createCampaign', label: 'actions.createCampaign' },
  'update-campaign': { sentence: 'audit.updateCampaign', label: 'actions.updateCampaign' },
  'set-campaign-pricing': {
    sentence: 'audit.setCampaignPricing',
    label: 'actions.setCampaignPricing',
  },
  'create-link': { sentence: 'audit.createLink', label: 'actions.createLink' },
  'update-link': { sentence: 'audit.updateLink', label: 'actions.updateLink' },
  'set-link-password': { sentence: 'audit.setLinkPassword', label: 'actions.setLinkPassword' },
  'complete-redemption': {
    sentence: 'audit.completeRedemption',
    label: 'actions.completeRedemption',
  },
  'extend-redemption': { sentence: 'audit.extendRedemption', label: 'actions.extendRedemption' },
  'set-redemption-billing': {
    sentence: 'audit.setRedemptionBilling',
    label: 'actions.setRedemptionBilling',
  },
  'create-assistant': { sentence: 'audit.createAssistant', label: 'actions.createAssistant' },
  'update-assistant': { sentence: 'audit.updateAssistant', label: 'actions.updateAssistant' },
  'delete-assistant': { sentence: 'audit.deleteAssistant', label: 'actions.deleteAssistant' },
  'share-assistant': { sentence: 'audit.shareAssistant', label: 'actions.shareAssistant' },
  'unshare-assistant': { sentence: 'audit.unshareAssistant', label: 'actions.unshareAssistant' },
  'upload-file': { sentence: 'audit.uploadFile', label: 'actions.uploadFile' },
  'replace-file': { sentence: 'audit.replaceFile', label: 'actions.replaceFile' },
  'delete-file': { sentence: 'audit.deleteFile', label: 'actions.deleteFile' },
  'complete-file': { sentence: 'audit.completeFile', label: 'actions.completeFile' },
  'fail-file': { sentence: 'audit.failFile', label: 'actions.failFile' },
  'complete-run': { sentence: 'audit.completeRun', label: 'actions.completeRun' },
  'fail-run': { sentence: 'audit.failRun', label: 'actions.failRun' },
  'cancel-run': { sentence: 'audit.cancelRun', label: 'actions.cancelRun' },
  'warn-budget': { sentence: 'audit.warnBudget', label: 'actions.warnBudget' },
  'exhaust-budget': { sentence: 'audit.exhaustBudget', label: 'actions.exhaustBudget' },
  'announce-key-expiry': {
    sentence: 'audit.announceKeyExpiry',
    label: 'actions.announceKeyExpiry',
  },
  'announce-redemption-end': {
    sentence: 'audit.announceRedemptionEnd',
    label: 'actions.announceRedemptionEnd',
  },
  'end-redemption': { sentence: 'audit.endRedemption', label: 'actions.endRedemption' },
};

export const actions: readonly string[] = Object.keys(actionTexts);

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');
const quote = (text: string) => t('audit.quoted', { text: text || '…' });

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
    : (targetType === 'User' && targetName) || t('audit.someFormerMember');
  const target = name ? quote(name) : t('audit.deletedTarget');
  const texts = textsOf(action);
  if (!texts) {
    const performed = action.replaceAll('-', ' ');
    return name
      ? t('audit.performedOn', { action: performed, target })
      : t('audit.performed', { action: performed });
  }
  return textWith(texts.sentence, {
    target,
    person,
    address: textOfChange('email') || person,
    role: textOfChange('role'),
    policy: textOfChange('secondFactorPolicy'),
    name: quote(textOfChange('name')),
    nameBefore: quote(textOr(changeOf('name')?.before)),
    fileName: quote(textOfChange('originalName')),
    host: quote(textOfChange('host')),
  });
}

const textsOf = (action: string) =>
  Object.hasOwn(actionTexts, action) ? actionTexts[action] : undefined;

/** The label of an action in the filter list. */
export const actionLabel = (action: string): string => {
  const texts = textsOf(action);
  return texts ? t(texts.label) : action.replaceAll('-', ' ');
};
