import { useSearchParams } from 'wouter';
import { Card } from '../../ui/card.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { Entries } from './entries.tsx';
import { type AuditFilter, filterIn, filterNames, variablesOf } from './filter.ts';

export function AuditLog() {
  const [search, setSearch] = useSearchParams();
  const filter = filterIn(search);
  const ask = (part: Partial<AuditFilter>) => {
    const next = { ...filter, ...part };
    setSearch(filterNames.flatMap((name) => (next[name] ? [[name, next[name]]] : [])));
  };
  const variables = variablesOf(filter);
  const asked = JSON.stringify(variables);
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Who changed what in the organization, newest first. Nothing is ever changed or taken out here."
      />
      <Card>
        <AuditFilters filter={filter} onAsk={ask} />
        <AuditExport key={`export ${asked}`} variables={variables} />
      </Card>
      <Card>
        <Entries key={asked} variables={variables} onAsk={ask} />
      </Card>
    </>
  );
}
