import { useEffect, useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { TextField } from '../../ui/fields.tsx';
import { displayName } from '../../ui/labels.ts';
import { AuditActorsDocument } from './documents.ts';
import type { AuditFilter } from './filter.ts';
import { actionLabel, actions } from './sentence.ts';

type AuditFiltersProps = { filter: AuditFilter; onFilter: (part: Partial<AuditFilter>) => void };

const emptyFilter: AuditFilter = { action: '', actor: '', target: '', from: '', to: '' };
const anyAction = () => ({ value: '', label: t('audit.allActions') });
const anybody = () => ({ value: '', label: t('audit.everybody') });

export function AuditFilters({ filter, onFilter }: AuditFiltersProps) {
  const [search, setSearch] = useState('');
  const { data } = useGraphQuery(AuditActorsDocument, { search: search || null });
  const actors = [
    ...(data?.users.nodes ?? []).map((user) => ({
      value: `user:${user.id}`,
      label: displayName(user),
    })),
    ...(data?.apiKeys.nodes ?? []).map(({ id, name }) => ({
      value: `key:${id}`,
      label: t('audit.keyNamed', { name }),
    })),
  ];
  // An actor that was chosen in the log may be missing from these lists.
  const unlisted =
    filter.actor !== '' && !actors.some(({ value }) => value === filter.actor)
      ? [{ value: filter.actor, label: t('audit.selectedActor') }]
      : [];
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <search className="toolbar" aria-label={t('audit.filter')}>
      <Combobox
        label={t('audit.action')}
        options={[
          anyAction(),
          ...actions.map((action) => ({ value: action, label: actionLabel(action) })),
        ]}
        value={filter.action}
        onValue={(value) => onFilter({ action: value })}
      />
      <Combobox
        label={t('audit.actor')}
        options={[anybody(), ...unlisted, ...actors]}
        value={filter.actor}
        onValue={(value) => onFilter({ actor: value })}
        onSearch={setSearch}
      />
      <DayField
        label={t('audit.from')}
        name="from"
        value={filter.from}
        onDay={(from) => onFilter({ from })}
      />
      <DayField
        label={t('audit.to')}
        name="to"
        value={filter.to}
        onDay={(to) => onFilter({ to })}
      />
      {filter.target && <span className="quiet">{t('audit.oneObjectOnly')}</span>}
      {isFiltered && (
        <Button kind="quiet" onClick={() => onFilter(emptyFilter)}>
          {t('audit.clearFilters')}
        </Button>
      )}
    </search>
  );
}

type DayFieldProps = { label: string; name: string; value: string; onDay: (day: string) => void };

/**
 * A date field. While the year is being typed the value passes through years such as 0002, so dates
 * before 1970 are not reported.
 */
function DayField({ label, name, value, onDay }: DayFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const change = (day: string) => {
    setTyped(day);
    if (day === '' || day >= '1970') onDay(day);
  };
  return (
    <TextField
      label={label}
      name={name}
      type="date"
      max="9999-12-31"
      value={typed}
      onText={change}
    />
  );
}
