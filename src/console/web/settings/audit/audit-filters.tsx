import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { displayName } from '../display-name.ts';
import { DayField } from './day-field.tsx';
import { AuditActorsDocument } from './documents.ts';
import type { AuditFilter } from './filter.ts';
import { actionLabel, actions } from './sentence.ts';

type AuditFiltersProps = { filter: AuditFilter; onFilter: (part: Partial<AuditFilter>) => void };

const emptyFilter: AuditFilter = { action: '', actor: '', target: '', from: '', to: '' };
const anyAction = { value: '', label: 'All actions' };
const anybody = { value: '', label: 'Everybody' };

export function AuditFilters({ filter, onFilter }: AuditFiltersProps) {
  const { data } = useGraphQuery(AuditActorsDocument, {});
  const actors = [
    ...(data?.users.items ?? []).map((user) => ({
      value: `user:${user.id}`,
      label: displayName(user),
    })),
    ...(data?.apiKeys.items ?? []).map(({ id, name }) => ({
      value: `key:${id}`,
      label: `Key: ${name}`,
    })),
  ];
  // An actor that was chosen in the log may be missing from these lists.
  const unlisted =
    filter.actor !== '' && !actors.some(({ value }) => value === filter.actor)
      ? [{ value: filter.actor, label: 'Selected actor' }]
      : [];
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <search className="toolbar" aria-label="Filter">
      <SelectField
        label="Action"
        name="action"
        options={[
          anyAction,
          ...actions.map((action) => ({ value: action, label: actionLabel(action) })),
        ]}
        value={filter.action}
        onChange={({ target }) => onFilter({ action: target.value })}
      />
      <SelectField
        label="Actor"
        name="actor"
        options={[anybody, ...unlisted, ...actors]}
        value={filter.actor}
        onChange={({ target }) => onFilter({ actor: target.value })}
      />
      <DayField label="From" name="from" value={filter.from} onDay={(from) => onFilter({ from })} />
      <DayField label="To" name="to" value={filter.to} onDay={(to) => onFilter({ to })} />
      {filter.target && <span className="quiet">Changes of one object only</span>}
      {isFiltered && (
        <Button kind="quiet" onClick={() => onFilter(emptyFilter)}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
