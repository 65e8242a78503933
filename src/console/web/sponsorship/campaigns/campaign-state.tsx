import { Badge, type Tone } from '../../ui/badge.tsx';

type Campaign = {
  isActive: boolean;
  expiresAt: string | null;
  maxRedemptions: number | null;
  completedRedemptionsCount: number;
  reservedRedemptionsCount: number;
};

const looks = {
  live: { label: 'Live', tone: 'good' },
  exhausted: { label: 'Exhausted', tone: 'busy' },
  ended: { label: 'Ended', tone: 'plain' },
  off: { label: 'Switched off', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: Tone }>;

/** What can be done with a campaign now, in the order in which the summary counts. */
function stateOf({
  isActive,
  expiresAt,
  maxRedemptions,
  completedRedemptionsCount,
  reservedRedemptionsCount,
}: Campaign): keyof typeof looks {
  if (!isActive) return 'off';
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'ended';
  if (
    maxRedemptions !== null &&
    completedRedemptionsCount + reservedRedemptionsCount >= maxRedemptions
  )
    return 'exhausted';
  return 'live';
}

export function CampaignState({ campaign }: { campaign: Campaign }) {
  const { label, tone } = looks[stateOf(campaign)];
  return <Badge tone={tone}>{label}</Badge>;
}
