import { Badge, type Tone } from '../ui/badge.tsx';
import { Notice } from '../ui/notice.tsx';
import { durationOf, millisecondsOf } from './amounts.ts';
import type { VaultNowQuery } from './documents.ts';

type Vault = VaultNowQuery['vault'];

const words: Record<Vault['state'], { tone: Tone; label: string; text: string }> = {
  HEALTHY: { tone: 'good', label: 'Healthy', text: 'Files are taken in and searched.' },
  UNHEALTHY: {
    tone: 'bad',
    label: 'Unhealthy',
    text: 'It answers, but the database of its vectors does not. Until that is back, new files wait and nothing can be searched. Nothing is lost.',
  },
  LOCKED: {
    tone: 'bad',
    label: 'Locked',
    text: 'It answers, but not to this Atrium: both must be started with the same VAULT_SECRET. Until then new files wait and nothing can be searched.',
  },
  AWAY: {
    tone: 'bad',
    label: 'Away',
    text: 'Nothing answers where the vault should be. Until it is back, new files wait and nothing can be searched. This page looks again by itself.',
  },
  NONE: {
    tone: 'plain',
    label: 'None',
    text: 'This Atrium runs without a vault: assistants answer, but not from files.',
  },
};

const partNames: Record<string, string> = { vectorDb: 'Database of vectors' };

/** How the vault is, in words. */
export function StateNote({
  vault: { state, version, uptimeSeconds, checks, rateLimit },
}: {
  vault: Vault;
}) {
  const { tone, label, text } = words[state];
  return (
    <Notice tone={tone}>
      <div role="status" className="vault-state">
        <Badge tone={tone}>{label}</Badge>
        <span>{text}</span>
      </div>
      {version !== null && (
        <p className="vault-about">
          Version {version}
          {uptimeSeconds !== null && `, running for ${durationOf(uptimeSeconds)}`}
          {checks.map(({ name, healthy, latencyMs }) => (
            <span key={name}>
              {' · '}
              {partNames[name] ?? name}: {healthy ? 'there' : 'does not answer'}
              {latencyMs !== null && ` (${millisecondsOf(latencyMs)})`}
            </span>
          ))}
          {rateLimit &&
            ` · ${rateLimit.remaining.toLocaleString()} of ${rateLimit.limit.toLocaleString()} calls left in these ${rateLimit.windowSeconds} seconds${rateLimit.limited ? '; more are refused now' : ''}`}
        </p>
      )}
    </Notice>
  );
}
