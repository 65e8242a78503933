import { Badge, type StatusTone } from '../../ui/badge.tsx';

type CampaignStateInput = {
  isActive: boolean;
  expiresAt: string | null;
  maxRedemptions: number | null;
  completedRedemptionsCount: number;
  reservedRedemptionsCount: number;
};

const stateStyles = {
  live: { label: 'Live', tone: 'good' },
  exhausted: { label: 'Fully redeemed', tone: 'busy' },
  ended: { label: 'Ended', tone: 'plain' },
  paused: { label: 'Paused', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: StatusTone }>;

/** The state of a campaign. The conditions have the same order as in the summary of the API. */
function stateOf({
  isActive,
  expiresAt,
  maxRedemptions,
  completedRedemptionsCount,
  reservedRedemptionsCount,
}: CampaignStateInput): keyof typeof stateStyles {
  if (!isActive) return 'paused';
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'ended';
  if (
    maxRedemptions !== null &&
    completedRedemptionsCount + reservedRedemptionsCount >= maxRedemptions
  )
    return 'exhausted';
  return 'live';
}

export function CampaignState({ campaign }: { campaign: CampaignStateInput }) {
  const { label, tone } = stateStyles[stateOf(campaign)];
  return <Badge tone={tone}>{label}</Badge>;
}
