import { Link } from 'wouter';
import { useViewer } from '../session/session.tsx';
import { Badge, type StatusTone } from '../ui/badge.tsx';
import { Figure, Figures } from '../ui/figure.tsx';
import type { HomeQuery } from './documents.ts';

type VaultState = NonNullable<HomeQuery['vault']>['state'];

const vaultTones: Record<VaultState, StatusTone> = {
  HEALTHY: 'good',
  UNHEALTHY: 'bad',
  LOCKED: 'bad',
  AWAY: 'bad',
  NONE: 'plain',
};
const vaultWords: Record<VaultState, string> = {
  HEALTHY: 'Healthy',
  UNHEALTHY: 'Unhealthy',
  LOCKED: 'Locked',
  AWAY: 'Unreachable',
  NONE: 'Not set up',
};

export function AtAGlance({
  home: { organization, assistants, unfinishedFiles, vault },
}: {
  home: HomeQuery;
}) {
  const { isAdmin } = useViewer();
  const { memberCount, seatLimit } = organization;
  const files = assistants.reduce((sum, { fileCount = 0 }) => sum + fileCount, 0);
  return (
    <Figures>
      <Figure
        label="Assistants"
        value={assistants.length.toLocaleString()}
        hint="that you can use"
      />
      {unfinishedFiles && (
        <Figure
          label="Files"
          value={files.toLocaleString()}
          hint={files === 0 ? 'none yet' : filesHint(unfinishedFiles)}
        />
      )}
      <Figure
        label="Members"
        value={
          seatLimit === null
            ? memberCount.toLocaleString()
            : `${memberCount.toLocaleString()} / ${seatLimit.toLocaleString()}`
        }
        hint={
          isAdmin ? (
            <Link href="/settings/members">{seatsHint(memberCount, seatLimit)}</Link>
          ) : (
            seatsHint(memberCount, seatLimit)
          )
        }
      />
      {vault && (
        <Figure
          label="Vault"
          value={<Badge tone={vaultTones[vault.state]}>{vaultWords[vault.state]}</Badge>}
          hint={<Link href="/vault">State and search</Link>}
        />
      )}
    </Figures>
  );
}

function seatsHint(memberCount: number, seatLimit: number | null): string {
  if (seatLimit === null) return 'unlimited seats';
  const free = seatLimit - memberCount;
  if (free <= 0) return 'no free seats';
  return `${free.toLocaleString()} free ${free === 1 ? 'seat' : 'seats'}`;
}

function filesHint({ working, failed }: NonNullable<HomeQuery['unfinishedFiles']>): string {
  const texts = [
    ...(working > 0 ? [`${working.toLocaleString()} processing`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString()} failed`] : []),
  ];
  return texts.join(', ') || 'all ready';
}
