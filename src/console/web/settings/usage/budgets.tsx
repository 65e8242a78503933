import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { ConfirmButton, FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, EmptyState, Loaded, Progress } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import {
  chosenOf,
  metricTexts,
  modeOptions,
  modes,
  periodTexts,
  scopeTexts,
} from './budget-labels.ts';
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
    scopeId === null ? scopeTexts[scope] : `${scopeTexts[scope]}: ${nameOf(scopeId, 'with id')}`;
  return (
    <Card title="Budgets" actions={<CreateBudget />}>
      <Loaded answer={answer} lines={4}>
        {({ budgets: { nodes } }) =>
          nodes.length === 0 ? (
            <EmptyState title="No budgets">
              A budget limits what answers may use in a day or a month. It warns by e-mail, or also
              refuses further answers.
            </EmptyState>
          ) : (
            <Table
              caption="Budgets"
              rows={nodes}
              columns={[
                { title: 'For', cell: (budget) => <strong>{subjectOf(budget)}</strong> },
                {
                  title: 'Used',
                  cell: (budget) => <BudgetUse budget={budget} subject={subjectOf(budget)} />,
                },
                {
                  title: 'When it is used up',
                  cell: ({ mode }) =>
                    mode === 'BLOCK' ? <Badge tone="bad">Refuses</Badge> : <Badge>Warns</Badge>,
                },
                {
                  title: 'Actions',
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
    {used.toLocaleString()} of {limit.toLocaleString()} {metricTexts[metric]} {periodTexts[period]}
    <Progress value={Math.min(1, limit > 0 ? used / limit : 1)} label={`Used of ${subject}`} />
  </div>
);

function EditBudget({ budget: { id, limit, mode }, subject }: BudgetProps) {
  const update = useGraphMutation(UpdateBudgetDocument, { success: 'The budget was changed' });
  return (
    <FormDialog
      label="Edit"
      subject={subject}
      title={`Budget of ${subject}`}
      action={update}
      submit="Save"
      onSubmit={(data) =>
        update.run({
          budgetId: id,
          limit: Number(fieldText(data, 'limit')),
          mode: chosenOf(modes, fieldText(data, 'mode')),
        })
      }
    >
      <TextField
        label="Limit"
        name="limit"
        type="number"
        required
        min={0.000001}
        step="any"
        defaultValue={limit}
      />
      <SelectField
        label="When it is used up"
        name="mode"
        options={modeOptions}
        defaultValue={mode}
      />
    </FormDialog>
  );
}

function DeleteBudget({ budget: { id }, subject }: BudgetProps) {
  const remove = useGraphMutation(DeleteBudgetDocument, { invalidates: ['Budget'] });
  return (
    <ConfirmButton
      label="Delete"
      subject={subject}
      title="Delete the budget"
      question={`The budget of ${subject} no longer limits anything. What was used stays in the usage.`}
      confirmLabel="Delete"
      onConfirm={() => remove.run({ budgetId: id })}
      done="The budget was deleted"
      action={remove}
    />
  );
}
