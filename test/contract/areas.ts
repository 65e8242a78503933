import { checkAccess } from './areas/access.ts';
import { checkAssistantFiles } from './areas/assistant-files.ts';
import { checkAssistants } from './areas/assistants.ts';
import { checkAudit } from './areas/audit.ts';
import { checkCampaigns } from './areas/campaigns.ts';
import { checkConversations } from './areas/conversations.ts';
import { checkHttpRules } from './areas/http-rules.ts';
import { checkKeys } from './areas/keys.ts';
import { checkLimits } from './areas/limits.ts';
import { checkLinks } from './areas/links.ts';
import { checkOpenAi } from './areas/openai.ts';
import { checkRedeeming } from './areas/redeeming.ts';
import { checkRedemptions } from './areas/redemptions.ts';
import { checkRuns } from './areas/runs.ts';
import { checkSeats } from './areas/seats.ts';
import { checkTeams } from './areas/teams.ts';
import { checkUsage } from './areas/usage.ts';
import { checkUsers } from './areas/users.ts';
import { checkVault } from './areas/vault.ts';
import { checkWebhooks } from './areas/webhooks.ts';
import { checkWire } from './areas/wire.ts';
import type { AreaCheck } from './suite.ts';

/** All areas, in the order in which they are checked. */
export const areas: Readonly<Record<string, AreaCheck>> = {
  'http-rules': checkHttpRules,
  keys: checkKeys,
  users: checkUsers,
  seats: checkSeats,
  teams: checkTeams,
  campaigns: checkCampaigns,
  links: checkLinks,
  redemptions: checkRedemptions,
  redeeming: checkRedeeming,
  assistants: checkAssistants,
  runs: checkRuns,
  conversations: checkConversations,
  usage: checkUsage,
  webhooks: checkWebhooks,
  audit: checkAudit,
  'assistant-files': checkAssistantFiles,
  openai: checkOpenAi,
  wire: checkWire,
  vault: checkVault,
  limits: checkLimits,
  access: checkAccess,
};
