import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { displayName } from '../display-name.ts';
import { DayField } from './day-field.tsx';
import { AuditActorsDocument } from './documents.ts';
import type { AuditFilter } from './filter.ts';
import { actionLabel, actions } from './sentence.ts';

type AuditFiltersProps = { filter: AuditFilter; onAsk: (part: Partial<AuditFilter>) => void };

const none: AuditFilter = { action: '', actor: '', target: '', from: '', to: '' };
const everything = { value: '', label: 'Everything' };
const everybody = { value: '', label: 'Everybody' };

export function AuditFilters({ filter, onAsk }: AuditFiltersProps) {
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
  // Whoever was chosen in the log may be none of those listed here.
  const chosen =
    filter.actor !== '' && !actors.some(({ value }) => value === filter.actor)
      ? [{ value: filter.actor, label: 'As chosen below' }]
      : [];
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <search className="toolbar" aria-label="What to show">
      <SelectField
        label="What"
        name="action"
        options={[
          everything,
          ...actions.map((action) => ({ value: action, label: actionLabel(action) })),
        ]}
        value={filter.action}
        onChange={({ target }) => onAsk({ action: target.value })}
      />
      <SelectField
        label="Who"
        name="actor"
        options={[everybody, ...chosen, ...actors]}
        value={filter.actor}
        onChange={({ target }) => onAsk({ actor: target.value })}
      />
      <DayField label="From" name="from" value={filter.from} onDay={(from) => onAsk({ from })} />
      <DayField label="Up to" name="to" value={filter.to} onDay={(to) => onAsk({ to })} />
      {filter.target && <span className="quiet">Only what concerns one thing</span>}
      {isFiltered && (
        <Button kind="quiet" onClick={() => onAsk(none)}>
          Show everything
        </Button>
      )}
    </search>
  );
}
