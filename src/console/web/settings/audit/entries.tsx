import { useState } from 'react';
import { queryUncached } from '../../graph/client.ts';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, FaultNote, Loaded } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import {
  type AuditEntryFieldsFragment,
  AuditLogDocument,
  type AuditLogQuery,
  type AuditTotalQueryVariables,
} from './documents.ts';
import type { AuditFilter } from './filter.ts';
import { describeAction, describeActor } from './sentence.ts';

type EntriesProps = {
  variables: AuditTotalQueryVariables;
  onFilter: (part: Partial<AuditFilter>) => void;
};

const pageSize = 50;

/**
 * The log, newest entry first. A button loads older entries, so a long log never needs to be
 * counted.
 */
export function Entries({ variables, onFilter }: EntriesProps) {
  const answer = useGraphQuery(AuditLogDocument, { ...variables, first: pageSize });
  const [older, setOlder] = useState<AuditLogQuery['auditEntries']>();
  const [{ busy, fault }, setState] = useState<{ busy: boolean; fault?: ApiFault }>({
    busy: false,
  });

  const showOlder = async (after: string | null) => {
    setState({ busy: true });
    const { data, fault: loadFault } = await queryUncached(AuditLogDocument, {
      ...variables,
      first: pageSize,
      after,
    });
    setState({ busy: false, ...(loadFault ? { fault: loadFault } : {}) });
    if (data)
      setOlder((shown) => ({
        ...data.auditEntries,
        nodes: [...(shown?.nodes ?? []), ...data.auditEntries.nodes],
      }));
  };

  return (
    <Loaded answer={answer} lines={10}>
      {({ auditEntries: newest }) => {
        const entries = [...newest.nodes, ...(older?.nodes ?? [])];
        const { hasNextPage, endCursor } = (older ?? newest).pageInfo;
        if (entries.length === 0) return <EmptyState title="No entries match these filters" />;
        return (
          <>
            <ol className="settings-entries plain-list" aria-label="Changes">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} onFilter={onFilter} />
              ))}
            </ol>
            <FaultNote fault={fault} />
            {!hasNextPage ? (
              <p className="quiet">No older entries.</p>
            ) : (
              <Button busy={busy} onClick={() => showOlder(endCursor)}>
                Show older entries
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

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
function Entry({ entry, onFilter }: EntryProps) {
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
          {entry.changes.map((change) => (
            <Detail key={change.field} name={change.field} value={describeChange(change)} />
          ))}
          <Detail name="action" value={entry.action} />
          <Detail name="authenticated by" value={authenticationLabels[entry.actorKind]} />
          <Detail name={targetTypeText(entry)} value={entry.targetId} />
          {entry.network && <Detail name="network" value={entry.network} />}
          {entry.device && <Detail name="device" value={entry.device} />}
          {entry.requestId && <Detail name="request" value={entry.requestId} />}
        </dl>
        <div className="row row-actions">
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

const describeChange = ({ value, before }: AuditEntryFieldsFragment['changes'][number]) =>
  before === null ? formatValue(value) : `${formatValue(value)}, before: ${formatValue(before)}`;

const formatValue = (value: unknown) =>
  typeof value === 'string' ? value : value === null ? 'none' : JSON.stringify(value);

const Detail = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
