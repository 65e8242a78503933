import { Link } from 'wouter';
import { Card } from '../ui/card.tsx';
import { Time } from '../ui/time.tsx';
import type { HomeQuery } from './documents.ts';

/** Keys that expire within a month, so that nobody is surprised when a program stops. */
export function ExpiringKeys({ keys }: { keys: HomeQuery['expiringKeys'] }) {
  if (keys.length === 0) return null;
  return (
    <Card title="Keys that expire soon">
      <ul className="home-list">
        {keys.map(({ id, name, kind, lastFour, expiresAt }) => (
          <li key={id}>
            <span className="home-name">
              <Link
                href={kind === 'ORGANIZATION' ? '/settings/organization-keys' : '/settings/keys'}
              >
                {name}
              </Link>
              <span className="hint">
                {' '}
                {kind === 'ORGANIZATION' ? 'organization key' : 'user key'}, ends in …{lastFour}
              </span>
            </span>
            {expiresAt && <Time at={expiresAt} style="ago" />}
          </li>
        ))}
      </ul>
    </Card>
  );
}
