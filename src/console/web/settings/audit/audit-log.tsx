import { useSearchParams } from 'wouter';
import { t } from '../../texts/text.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { Entries } from './entries.tsx';
import { type AuditFilter, filterNames, parseFilter, toVariables } from './filter.ts';
import { SealedNote } from './sealed-note.tsx';

export function AuditLog() {
  const [search, setSearch] = useSearchParams();
  const filter = parseFilter(search);
  const changeFilter = (part: Partial<AuditFilter>) => {
    const next = { ...filter, ...part };
    setSearch(filterNames.flatMap((name) => (next[name] ? [[name, next[name]]] : [])));
  };
  const variables = toVariables(filter);
  const filterKey = JSON.stringify(variables);
  return (
    <>
      <PageHead title={t('audit.auditLog')} lead={t('audit.auditLogLead')} />
      <SealedNote />
      <Card>
        <AuditFilters filter={filter} onFilter={changeFilter} />
        <AuditExport key={`export ${filterKey}`} variables={variables} />
      </Card>
      <Card>
        <Entries key={filterKey} variables={variables} onFilter={changeFilter} />
      </Card>
    </>
  );
}
