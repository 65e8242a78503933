import { queryUncached } from '../../graph/client.ts';
import { type ReadRows, readPages } from '../../graph/read-pages.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ExportProgress, useExport } from '../../ui/export.tsx';
import { FaultNote } from '../../ui/status.tsx';
import {
  type AuditEntryFieldsFragment,
  AuditLogDocument,
  AuditTotalDocument,
  type AuditTotalQueryVariables,
} from './documents.ts';
import { csvFormat, jsonlFormat } from './export-formats.ts';

/** Exports all entries that match the filter. */
export function AuditExport({ variables }: { variables: AuditTotalQueryVariables }) {
  // Entries added meanwhile are newer and are left out.
  const read = async ({ signal, onPage }: ReadRows<AuditEntryFieldsFragment>) => {
    const { data, fault } = await queryUncached(AuditTotalDocument, variables);
    if (fault) return fault;
    return readPages({
      signal,
      fetchPage: (after) => queryUncached(AuditLogDocument, { ...variables, first: 100, after }),
      onPage: ({ auditEntries: { nodes, pageInfo } }) =>
        onPage(nodes, data.auditEntries.totalCount) ? pageInfo : undefined,
    });
  };
  const { state, run, cancel } = useExport(read);
  if (state && !state.fault) {
    return (
      <div className="settings-export row">
        <ExportProgress state={state} />
        <Button onClick={cancel}>{t('ui.cancel')}</Button>
      </div>
    );
  }
  return (
    <>
      <FaultNote fault={state?.fault} />
      <div className="settings-export row">
        <Button icon="download" onClick={() => run(csvFormat)}>
          {t('audit.exportCsv')}
        </Button>
        <Button icon="download" onClick={() => run(jsonlFormat)}>
          {t('audit.exportJsonl')}
        </Button>
      </div>
    </>
  );
}
