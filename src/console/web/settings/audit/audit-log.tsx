import { useSearchParams } from 'wouter';
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
      <PageHead
        title="Audit log"
        lead="Who changed what in the organization, newest first. Entries cannot be edited or deleted."
      />
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
