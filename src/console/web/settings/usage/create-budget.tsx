import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { displayName } from '../../ui/labels.ts';
import {
  chosenOf,
  metricOptions,
  metrics,
  modeOptions,
  modes,
  periodOptions,
  periods,
  scopeTexts,
} from './budget-labels.ts';
import { BudgetScopesDocument, type BudgetScopesQuery, CreateBudgetDocument } from './documents.ts';

/** The scopes that this page offers. Budgets of keys are made over GraphQL. */
const scopes = ['ORGANIZATION', 'TEAM', 'USER', 'ASSISTANT'] as const;
type OfferedScope = (typeof scopes)[number];

export function CreateBudget() {
  const create = useGraphMutation(CreateBudgetDocument, {
    invalidates: ['Budget'],
    success: t('usage.budgetCreated'),
  });
  const [scope, setScope] = useState<OfferedScope>('ORGANIZATION');
  const submit = (data: FormData) =>
    create.run({
      scope,
      scopeId: scope === 'ORGANIZATION' ? null : fieldText(data, 'scopeId'),
      metric: chosenOf(metrics, fieldText(data, 'metric')),
      period: chosenOf(periods, fieldText(data, 'period')),
      limit: Number(fieldText(data, 'limit')),
      mode: chosenOf(modes, fieldText(data, 'mode')),
    });
  return (
    <FormDialog
      icon="plus"
      label={t('usage.newBudget')}
      title={t('usage.newBudget')}
      action={create}
      submit={t('usage.create')}
      onSubmit={submit}
      onClose={() => setScope('ORGANIZATION')}
      onDone={() => setScope('ORGANIZATION')}
    >
      <SelectField
        label={t('usage.budgetFor')}
        options={scopes.map((value) => ({ value, label: t(scopeTexts[value]) }))}
        value={scope}
        onValue={(value) => setScope(chosenOf(scopes, value))}
      />
      {scope !== 'ORGANIZATION' && <ScopeField key={scope} scope={scope} />}
      <div className="field-grid">
        <TextField
          label={t('usage.limit')}
          name="limit"
          type="number"
          required
          min={0.000001}
          step="any"
        />
        <SelectField label={t('usage.limitOf')} name="metric" options={metricOptions()} />
        <SelectField label={t('usage.limitIn')} name="period" options={periodOptions()} />
      </div>
      <SelectField label={t('usage.whenUsedUp')} name="mode" options={modeOptions()} />
    </FormDialog>
  );
}

type NamedScope = Exclude<OfferedScope, 'ORGANIZATION'>;

/** The person, team or assistant that the budget is for. */
function ScopeField({ scope }: { scope: NamedScope }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ComboboxOption>();
  const { data } = useGraphQuery(BudgetScopesDocument, { search: search || null });
  const found = optionsFor(scope, data);
  const isListed = !chosen || found.some(({ value }) => value === chosen.value);
  const options = isListed ? found : [chosen, ...found];
  return (
    <Combobox
      label={t(scopeTexts[scope])}
      name="scopeId"
      required
      options={options}
      value={chosen?.value ?? ''}
      onValue={(id) => setChosen(options.find((option) => option.value === id))}
      onSearch={setSearch}
    />
  );
}

function optionsFor(scope: NamedScope, data?: BudgetScopesQuery) {
  if (scope === 'USER')
    return (data?.users.nodes ?? []).map((user) => ({ value: user.id, label: displayName(user) }));
  const named = scope === 'TEAM' ? data?.teams.nodes : data?.assistants.nodes;
  return (named ?? []).map(({ id, name }) => ({ value: id, label: name }));
}
