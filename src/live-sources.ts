import type { ChangingType, TypeSource } from './graph/live/read-sources.ts';

// Which entries of the audit log can change the objects of a type. A list that is too long causes an
// execution whose result is the same; one that is too short would hide a change for 30 seconds.
const sponsorship = [
  'Campaign',
  'Link',
  'LinkInvitation',
  'Redemption',
  'Organization',
  'User',
  'Invitation',
];
const people = [...['User', 'Team', 'Invitation', 'ApiKey', 'Organization'], 'Redemption'];
const assistants = [...['Assistant', 'AssistantFile'], ...people];
const endpoints = ['WebhookEndpoint', 'Organization', 'User'];

const names = (text: string, source: TypeSource): [string, TypeSource][] =>
  text.split(' ').map((name) => [name, source]);

// How often types are read that change without an entry: while people wait for them, or watch them.
const often = 2_000;
const sometimes = 5_000;
const rarely = 15_000;

const file: ChangingType = {
  targetTypes: assistants,
  everyMs: rarely,
  inProgress: ['PENDING', 'PROCESSING'],
};
const run: ChangingType = { everyMs: often, inProgress: ['QUEUED', 'RUNNING'] };

const sources: ReadonlyMap<string, TypeSource> = new Map([
  ...names(
    'Campaign CampaignCounts Link Redemption RedemptionMonth RedemptionMonthStatus Pricing BillingChange SponsorshipCounts SponsorshipSummary Seats',
    { targetTypes: sponsorship },
  ),
  // Nothing of a reservation is in the audit log.
  ...names('Reservation', { targetTypes: sponsorship, everyMs: rarely }),
  // Clicks, and that mails were sent, are not in the audit log, either.
  ...names('LinkFigures LinkDay LinkInvitation SkippedAddress', {
    targetTypes: sponsorship,
    everyMs: rarely,
  }),
  ...names('User Team Person Invitation ApiKey', { targetTypes: people }),
  ...names('Assistant AssistantShare AssistantVersion', { targetTypes: assistants }),
  ...names(
    'AssistantFile FileNotice ProcessingError DeletedFileParts UnfinishedFile UnfinishedFiles',
    file,
  ),
  ...names('WebhookEndpoint', { targetTypes: endpoints, everyMs: sometimes }),
  ...names('WebhookDelivery', { everyMs: sometimes }),
  // Only the end of a run is in the audit log, and of a conversation that it is shared or deleted.
  ...names('Run RunResult RunUsage RunError', run),
  ...names('Conversation ConversationMessage ConversationAttachment', run),
  ...names('Notification UnreadNotifications', { everyMs: sometimes }),
  ...names('Budget UsageReport UsageRow Quota', { everyMs: rarely }),
  ...names(
    'Vault VaultCheck VaultCpu VaultDatabase VaultDisk VaultDocument VaultEntry VaultFigures VaultMemory VaultProcess VaultRateLimit VaultSystem',
    { everyMs: sometimes },
  ),
  // Reading these counts as an attempt, asks a provider or searches, or they are downloads.
  ...names(
    'AddedMembership InvitationOffer SponsoredOffer SponsoredWorkspace Models Model VaultSearch VaultPassage Query',
    'ONCE',
  ),
]);

// Every entry of the organization can change it.
const anyEntry: TypeSource = {};

/** What changes the objects of a type of the schema. */
export const liveSourceOf = (typeName: string): TypeSource => sources.get(typeName) ?? anyEntry;

export const liveTypes: readonly string[] = [...sources.keys()];
