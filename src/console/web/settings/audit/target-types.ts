import type { PlainKey } from '../../texts/catalogue.ts';
import { t } from '../../texts/text.ts';

const targetTypes: Readonly<Record<string, PlainKey>> = {
  ApiKey: 'audit.typeApiKey',
  Assistant: 'audit.typeAssistant',
  AssistantFile: 'audit.typeAssistantFile',
  Budget: 'audit.typeBudget',
  Campaign: 'audit.typeCampaign',
  Conversation: 'audit.typeConversation',
  Invitation: 'audit.typeInvitation',
  Link: 'audit.typeLink',
  LinkInvitation: 'audit.typeLinkInvitation',
  Organization: 'audit.typeOrganization',
  Redemption: 'audit.typeRedemption',
  Team: 'audit.typeTeam',
  User: 'audit.typeUser',
  WebhookEndpoint: 'audit.typeWebhookEndpoint',
};

/** The type of the changed object in words: `api key`. */
export const targetTypeText = (targetType: string): string => {
  const key = Object.hasOwn(targetTypes, targetType) ? targetTypes[targetType] : undefined;
  return key ? t(key) : targetType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
};
