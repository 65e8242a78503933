import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { ConfirmButton, FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, EmptyState, Loaded, Progress } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { chosenOf, modeOptions, modes, scopeTexts } from './budget-labels.ts';
import { CreateBudget } from './create-budget.tsx';
import {
  type BudgetFieldsFragment,
  BudgetsDocument,
  DeleteBudgetDocument,
  UpdateBudgetDocument,
} from './documents.ts';
import { useNames } from './use-names.ts';

/** The budgets of the organization, with what is used of each. */
export function Budgets() {
  const answer = useGraphQuery(
    BudgetsDocument,
    {},
    { typenames: ['Budget'], live: true, refreshMs: 30_000 },
  );
  const nameOf = useNames((answer.data?.budgets.nodes ?? []).map(({ scopeId }) => scopeId));
  const subjectOf = ({ scope, scopeId }: BudgetFieldsFragment) =>
    scopeId === null
      ? t(scopeTexts[scope])
      : `${t(scopeTexts[scope])}: ${nameOf(scopeId, t('usage.withId'))}`;
  return (
    <Card title={t('usage.budgets')} actions={<CreateBudget />}>
      <Loaded answer={answer} lines={4}>
        {({ budgets: { nodes } }) =>
          nodes.length === 0 ? (
            <EmptyState title={t('usage.noBudgets')}>{t('usage.noBudgetsHint')}</EmptyState>
          ) : (
            <Table
              caption={t('usage.budgets')}
              rows={nodes}
              columns={[
                {
                  title: t('usage.budgetFor'),
                  cell: (budget) => <strong>{subjectOf(budget)}</strong>,
                },
                {
                  title: t('usage.used'),
                  cell: (budget) => <BudgetUse budget={budget} subject={subjectOf(budget)} />,
                },
                {
                  title: t('usage.whenUsedUp'),
                  cell: ({ mode }) =>
                    mode === 'BLOCK' ? (
                      <Badge tone="bad">{t('usage.refuses')}</Badge>
                    ) : (
                      <Badge>{t('usage.warns')}</Badge>
                    ),
                },
                {
                  title: t('usage.actions'),
                  align: 'end',
                  cell: (budget) => (
                    <div className="row row-actions">
                      <EditBudget budget={budget} subject={subjectOf(budget)} />
                      <DeleteBudget budget={budget} subject={subjectOf(budget)} />
                    </div>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

type BudgetProps = { budget: BudgetFieldsFragment; subject: string };

const BudgetUse = ({ budget: { used, limit, metric, period }, subject }: BudgetProps) => (
  <div>
    {t('usage.budgetUse', { used, limit, metric, period })}
    <Progress
      value={Math.min(1, limit > 0 ? used / limit : 1)}
      label={t('usage.usedOf', { subject })}
    />
  </div>
);

function EditBudget({ budget: { id, limit, mode }, subject }: BudgetProps) {
  const update = useGraphMutation(UpdateBudgetDocument, { success: t('usage.budgetChanged') });
  return (
    <FormDialog
      label={t('usage.edit')}
      subject={subject}
      title={t('usage.budgetOf', { subject })}
      action={update}
      submit={t('usage.save')}
      onSubmit={(data) =>
        update.run({
          budgetId: id,
          limit: Number(fieldText(data, 'limit')),
          mode: chosenOf(modes, fieldText(data, 'mode')),
        })
      }
    >
      <TextField
        label={t('usage.limit')}
        name="limit"
        type="number"
        required
        min={0.000001}
        step="any"
        defaultValue={limit}
      />
      <SelectField
        label={t('usage.whenUsedUp')}
        name="mode"
        options={modeOptions()}
        defaultValue={mode}
      />
    </FormDialog>
  );
}

function DeleteBudget({ budget: { id }, subject }: BudgetProps) {
  const remove = useGraphMutation(DeleteBudgetDocument, { invalidates: ['Budget'] });
  return (
    <ConfirmButton
      label={t('usage.delete')}
      subject={subject}
      title={t('usage.deleteBudget')}
      question={t('usage.deleteBudgetHint', { subject })}
      confirmLabel={t('usage.delete')}
      onConfirm={() => remove.run({ budgetId: id })}
      done={t('usage.budgetDeleted')}
      action={remove}
    />
  );
}
