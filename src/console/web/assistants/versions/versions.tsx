import { useState } from 'react';
import { partOf, useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, EmptyState, FaultNote } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import {
  type AssistantFieldsFragment,
  AssistantVersionsDocument,
  type AssistantVersionsQuery,
  RestoreAssistantVersionDocument,
} from '../documents.ts';
import { CompareVersions } from './compare-versions.tsx';

type ListedVersion = AssistantVersionsQuery['assistantVersions']['nodes'][number];

/** The versions of an assistant. Each can be compared with others and restored. */
export function Versions({ assistant }: { assistant: AssistantFieldsFragment }) {
  const { id: assistantId, version: current } = assistant;
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    AssistantVersionsDocument,
    { assistantId, page },
    { typenames: ['Assistant', 'AssistantVersion'] },
  );
  const { run, busy, fault, clear } = useGraphMutation(RestoreAssistantVersionDocument, {
    invalidates: ['Assistant', 'AssistantVersion'],
    success: (_, { number }) => t('versions.restored', { number }),
  });
  const actions = ({ number }: ListedVersion) => (
    <div className="row">
      <CompareVersions assistantId={assistantId} number={number} current={current} />
      {number !== current && (
        <ConfirmButton
          kind="quiet"
          label={t('versions.restore')}
          subject={t('versions.versionInside', { number })}
          title={t('versions.restoreQuestion', { number })}
          question={t('versions.restoreHint', { number })}
          confirmLabel={t('versions.restore')}
          onConfirm={() => run({ assistantId, number, basedOn: current })}
          action={{ busy, fault: undefined, clear }}
        />
      )}
    </div>
  );
  return (
    <Card title={t('assistants.versions')}>
      <p className="quiet">{t('versions.versionsHint')}</p>
      <FaultNote fault={fault} />
      <PagedTable
        caption={t('versions.versionsCaption')}
        answer={partOf(answer, ({ assistantVersions }) => assistantVersions)}
        page={page}
        pageSize={20}
        onPage={setPage}
        empty={
          <EmptyState title={t('versions.noVersions')}>{t('versions.noVersionsHint')}</EmptyState>
        }
        columns={[
          {
            title: t('versions.versionColumn'),
            cell: ({ number, restoredNumber }) => (
              <>
                {number} {number === current && <Badge tone="good">{t('versions.current')}</Badge>}
                {restoredNumber !== null && (
                  <div className="hint">{t('versions.restoredFrom', { restoredNumber })}</div>
                )}
              </>
            ),
          },
          {
            title: t('versions.savedAt'),
            cell: ({ createdAt }) => <Time at={createdAt} style="moment" />,
          },
          { title: t('versions.by'), cell: ({ authorName }) => authorName ?? <Unknown /> },
          ...(answer.data && answer.data.assistantVersions.totalCount > 1
            ? [{ title: t('versions.actions'), align: 'end' as const, cell: actions }]
            : []),
        ]}
      />
    </Card>
  );
}

const Unknown = () => <span className="quiet">{t('versions.unknown')}</span>;
