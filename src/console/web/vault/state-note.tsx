import { Badge, type StatusTone } from '../ui/badge.tsx';
import { Notice } from '../ui/notice.tsx';
import { formatDuration, formatMilliseconds } from './amounts.ts';
import type { VaultNowQuery } from './documents.ts';

type VaultStatus = VaultNowQuery['vault'];

const stateTexts: Record<VaultStatus['state'], { tone: StatusTone; label: string; text: string }> =
  {
    HEALTHY: { tone: 'good', label: 'Healthy', text: 'The vault indexes and searches files.' },
    UNHEALTHY: {
      tone: 'bad',
      label: 'Unhealthy',
      text: 'The vault runs, but its vector database does not respond. Until it is back, new files wait and searches fail. No data are lost.',
    },
    LOCKED: {
      tone: 'bad',
      label: 'Locked',
      text: 'The vault rejects this server. Start both with the same VAULT_SECRET. Until then, new files wait and searches fail.',
    },
    AWAY: {
      tone: 'bad',
      label: 'Unreachable',
      text: 'The vault does not respond. Until it is back, new files wait and searches fail. This page refreshes automatically.',
    },
    NONE: {
      tone: 'plain',
      label: 'Not set up',
      text: 'This server runs without a vault. Assistants answer without files.',
    },
  };

const checkLabels: Record<string, string> = { vectorDb: 'Vector database' };

/** The state of the vault, with an explanation. */
export function StateNote({
  vault: { state, version, uptimeSeconds, checks, rateLimit },
}: {
  vault: VaultStatus;
}) {
  const { tone, label, text } = stateTexts[state];
  return (
    <Notice tone={tone}>
      <div role="status" className="vault-state">
        <Badge tone={tone}>{label}</Badge>
        <span>{text}</span>
      </div>
      {version !== null && (
        <p className="vault-about">
          Version {version}
          {uptimeSeconds !== null && `, running for ${formatDuration(uptimeSeconds)}`}
          {checks.map(({ name, healthy, latencyMs }) => (
            <span key={name}>
              {' · '}
              {checkLabels[name] ?? name}: {healthy ? 'available' : 'not responding'}
              {latencyMs !== null && ` (${formatMilliseconds(latencyMs)})`}
            </span>
          ))}
          {rateLimit &&
            ` · ${rateLimit.remaining.toLocaleString()} of ${rateLimit.limit.toLocaleString()} calls left in this window of ${rateLimit.windowSeconds} seconds${rateLimit.limited ? '; further calls are rejected' : ''}`}
        </p>
      )}
    </Notice>
  );
}
