import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import type { AuditEntryFieldsFragment } from './documents.ts';
import type { AuditFilter } from './filter.ts';
import { describeAction, describeActor } from './sentence.ts';

type EntryProps = {
  entry: AuditEntryFieldsFragment;
  onFilter: (part: Partial<AuditFilter>) => void;
};

const authenticationLabels = {
  SESSION: 'session',
  USER_KEY: 'user key',
  ORGANIZATION_KEY: 'organization key',
  SYSTEM: 'Atrium itself',
};

/** The type of the changed object in words: `api key`. */
const targetTypeText = ({ targetType }: AuditEntryFieldsFragment) =>
  targetType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** One entry as a sentence, with details that can be opened. */
export function Entry({ entry, onFilter }: EntryProps) {
  const actor = entry.actorUserId
    ? `user:${entry.actorUserId}`
    : entry.actorKeyId && `key:${entry.actorKeyId}`;
  return (
    <li>
      <p>
        <strong>{describeActor(entry)}</strong> {describeAction(entry)}.{' '}
        <span className="quiet">
          <Time at={entry.at} style="moment" />
        </span>
      </p>
      <details>
        <summary>Details</summary>
        <dl className="settings-details">
          {Object.entries(Object(entry.changes)).map(([name, value]) => (
            <Detail key={name} name={name} value={formatValue(value)} />
          ))}
          <Detail name="action" value={entry.action} />
          <Detail name="authenticated by" value={authenticationLabels[entry.actorKind]} />
          <Detail name={targetTypeText(entry)} value={entry.targetId} />
          {entry.network && <Detail name="network" value={entry.network} />}
          {entry.device && <Detail name="device" value={entry.device} />}
          {entry.requestId && <Detail name="request" value={entry.requestId} />}
        </dl>
        <div className="row-actions">
          {actor && (
            <Button onClick={() => onFilter({ actor })}>
              Show only changes by {describeActor(entry)}
            </Button>
          )}
          <Button onClick={() => onFilter({ target: entry.targetId })}>
            Show only changes of this {targetTypeText(entry)}
          </Button>
        </div>
      </details>
    </li>
  );
}

const formatValue = (value: unknown) =>
  typeof value === 'string' ? value : value === null ? 'none' : JSON.stringify(value);

const Detail = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
