import { useState } from 'react';
import { queryUncached } from '../../graph/client.ts';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, FaultNote, Loaded } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { deviceText } from '../device-text.ts';
import {
  type AuditEntryFieldsFragment,
  AuditLogDocument,
  type AuditLogQuery,
  type AuditTotalQueryVariables,
} from './documents.ts';
import type { AuditFilter } from './filter.ts';
import { describeAction, describeActor } from './sentence.ts';
import { targetTypeText } from './target-types.ts';

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
        if (entries.length === 0) return <EmptyState title={t('audit.noMatching')} />;
        return (
          <>
            <ol className="settings-entries plain-list" aria-label={t('audit.changes')}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} onFilter={onFilter} />
              ))}
            </ol>
            <FaultNote fault={fault} />
            {!hasNextPage ? (
              <p className="quiet">{t('audit.noOlder')}</p>
            ) : (
              <Button busy={busy} onClick={() => showOlder(endCursor)}>
                {t('audit.showOlder')}
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
  SESSION: 'audit.session',
  USER_KEY: 'audit.userKey',
  ORGANIZATION_KEY: 'audit.organizationKey',
  SYSTEM: 'audit.atriumItself',
} as const;

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
        <summary>{t('audit.details')}</summary>
        <dl className="settings-details">
          {entry.changes.map((change) => (
            <Detail key={change.field} name={change.field} value={describeChange(change)} />
          ))}
          <Detail name={t('audit.detailAction')} value={entry.action} />
          <Detail
            name={t('audit.detailAuthenticatedBy')}
            value={t(authenticationLabels[entry.actorKind])}
          />
          <Detail name={targetTypeText(entry.targetType)} value={entry.targetId} />
          {entry.network && <Detail name={t('audit.detailNetwork')} value={entry.network} />}
          {entry.device && (
            <Detail name={t('audit.detailDevice')} value={deviceText(entry.device)} />
          )}
          {entry.requestId && <Detail name={t('audit.detailRequest')} value={entry.requestId} />}
        </dl>
        <div className="row row-actions">
          {actor && (
            <Button onClick={() => onFilter({ actor })}>
              {t('audit.onlyBy', { actor: describeActor(entry) })}
            </Button>
          )}
          <Button onClick={() => onFilter({ target: entry.targetId })}>
            {t('audit.onlyOf', { type: targetTypeText(entry.targetType) })}
          </Button>
        </div>
      </details>
    </li>
  );
}

const describeChange = ({ value, before }: AuditEntryFieldsFragment['changes'][number]) =>
  before === null
    ? formatValue(value)
    : t('audit.valueBefore', { value: formatValue(value), before: formatValue(before) });

const formatValue = (value: unknown) =>
  typeof value === 'string' ? value : value === null ? t('audit.noValue') : JSON.stringify(value);

const Detail = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
