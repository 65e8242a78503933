import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import type { EntryPartsFragment } from './documents.ts';
import type { AuditFilter } from './filter.ts';
import { actorOf, deedOf } from './sentence.ts';

type EntryProps = { entry: EntryPartsFragment; onAsk: (part: Partial<AuditFilter>) => void };

const ways = {
  SESSION: 'signed in',
  USER_KEY: 'with a key of their own',
  ORGANIZATION_KEY: 'with a key of the organization',
  SYSTEM: 'by itself',
};

/** The type of what was changed, in words: `api key`. */
const kindOf = ({ targetType }: EntryPartsFragment) =>
  targetType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** One change as a sentence; what exactly was changed folds out. */
export function Entry({ entry, onAsk }: EntryProps) {
  const actor = entry.actorUserId
    ? `user:${entry.actorUserId}`
    : entry.actorKeyId && `key:${entry.actorKeyId}`;
  return (
    <li>
      <p>
        <strong>{actorOf(entry)}</strong> {deedOf(entry)}.{' '}
        <span className="quiet">
          <Time at={entry.at} style="moment" />
        </span>
      </p>
      <details>
        <summary>Details</summary>
        <dl className="settings-details">
          {Object.entries(Object(entry.changes)).map(([name, value]) => (
            <Detail key={name} name={name} value={textOf(value)} />
          ))}
          <Detail name="action" value={entry.action} />
          <Detail name="done" value={ways[entry.actorKind]} />
          <Detail name={kindOf(entry)} value={entry.targetId} />
          {entry.network && <Detail name="network" value={entry.network} />}
          {entry.device && <Detail name="device" value={entry.device} />}
          {entry.requestId && <Detail name="request" value={entry.requestId} />}
        </dl>
        <div className="row-actions">
          {actor && (
            <Button onClick={() => onAsk({ actor })}>Only what {actorOf(entry)} did</Button>
          )}
          <Button onClick={() => onAsk({ target: entry.targetId })}>
            Only what concerns this {kindOf(entry)}
          </Button>
        </div>
      </details>
    </li>
  );
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === null ? 'none' : JSON.stringify(value);

const Detail = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
