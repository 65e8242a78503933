import { Link } from 'wouter';
import { Card } from '../ui/card.tsx';
import { Time } from '../ui/time.tsx';
import type { HomeQuery } from './documents.ts';

/** Keys that end within a month, so that what runs with them does not stop one night. */
export function ExpiringKeys({ keys }: { keys: HomeQuery['expiringKeys'] }) {
  if (keys.length === 0) return null;
  return (
    <Card title="Keys that end soon">
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
                {kind === 'ORGANIZATION' ? 'of the organization' : 'a user key'}, ends in …
                {lastFour}
              </span>
            </span>
            {expiresAt && <Time at={expiresAt} style="ago" />}
          </li>
        ))}
      </ul>
    </Card>
  );
}
