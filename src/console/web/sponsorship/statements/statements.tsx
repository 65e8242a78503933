import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { Badge, EmptyState } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { StatementsDocument } from '../documents.ts';
import { formatEuro, formatUtcFullMonth } from '../format.tsx';
import { SectionTabs } from '../section-tabs.tsx';

/** The months for which there is a statement. */
export function Statements() {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(StatementsDocument, { page }, { typenames: ['Redemption'] });
  return (
    <>
      <PageHead title={t('statements.statements')} lead={t('statements.lead')} />
      <SectionTabs />
      <Card>
        <PagedTable
          caption={t('statements.statements')}
          answer={partOf(answer, ({ sponsorshipStatements }) => sponsorshipStatements)}
          page={page}
          pageSize={24}
          onPage={setPage}
          keyOf={({ month }) => month}
          empty={<EmptyState title={t('statements.none')}>{t('statements.noneHint')}</EmptyState>}
          columns={[
            {
              title: t('statements.month'),
              cell: ({ month, from, isOver }) => (
                <span className="row">
                  <Link href={`/statements/${month}`}>{formatUtcFullMonth(from)}</Link>
                  {!isOver && <Badge>{t('statements.current')}</Badge>}
                </span>
              ),
            },
            {
              title: t('statements.began'),
              align: 'end',
              cell: ({ began }) => formatNumber(began),
            },
            {
              title: t('statements.extended'),
              align: 'end',
              cell: ({ extended }) => formatNumber(extended),
            },
            {
              title: t('statements.ended'),
              align: 'end',
              cell: ({ ended }) => formatNumber(ended),
            },
            {
              title: t('statements.billable'),
              align: 'end',
              cell: ({ billableEur }) => formatEuro(billableEur),
            },
          ]}
        />
      </Card>
    </>
  );
}
