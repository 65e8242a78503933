import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { csvLines } from '../../ui/csv.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ExportProgress, useExport } from '../../ui/export.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type ExportedRedemption, readRedemptions } from './read-redemptions.ts';
import type { RedemptionFilter } from './use-redemption-filter.ts';

/** Exports all redemptions that match the filter as one CSV file. */
export function ExportButton({ filter }: { filter: RedemptionFilter }) {
  const toast = useToast();
  const { state, run, cancel } = useExport<ExportedRedemption>((input) =>
    readRedemptions(filter, input),
  );
  const exportCsv = async () => {
    const count = await run({
      name: `redemptions-${new Date().toISOString().slice(0, 10)}.csv`,
      type: 'text/csv;charset=utf-8',
      header: csvHeader,
      formatRows: toCsvRows,
    });
    if (count !== undefined) toast.show(t('redemptions.exported', { count }));
  };
  return (
    <>
      <Button icon="download" onClick={exportCsv}>
        {t('redemptions.exportCsv')}
      </Button>
      <Dialog title={t('ui.export')} open={state !== undefined} onClose={cancel}>
        {state?.fault ? (
          <FaultNote fault={state.fault} onRetry={exportCsv} />
        ) : (
          state && <ExportProgress state={state} noun={t('redemptions.redemptionsNoun')} />
        )}
        <FormButtons>
          <Button onClick={cancel}>{t('ui.cancel')}</Button>
        </FormButtons>
      </Dialog>
    </>
  );
}

const columns: readonly {
  title: string;
  cell: (row: ExportedRedemption) => string | number | null;
}[] = [
  { title: 'Id', cell: ({ id }) => id },
  { title: 'Workspace', cell: ({ organizationName }) => organizationName },
  { title: 'Redeemed by', cell: ({ userEmail }) => userEmail },
  { title: 'Campaign', cell: ({ campaignName }) => campaignName },
  { title: 'Link', cell: ({ linkName }) => linkName },
  { title: 'Redeemed at', cell: ({ redeemedAt }) => redeemedAt },
  { title: 'Months', cell: ({ durationMonths }) => durationMonths },
  { title: 'Sponsored until', cell: ({ sponsoredUntil }) => sponsoredUntil },
  { title: 'Extended until', cell: ({ extendedUntil }) => extendedUntil },
  { title: 'Extension reason', cell: ({ extensionReason }) => extensionReason },
  { title: 'Included seats', cell: ({ includedSeats }) => includedSeats },
  { title: 'Price model', cell: ({ pricing }) => pricing?.model ?? null },
  { title: 'Price unit', cell: ({ pricing }) => pricing?.unit ?? null },
  { title: 'Price EUR', cell: ({ pricing }) => pricing?.amountEur ?? null },
  { title: 'Billing status', cell: ({ billingStatus }) => billingStatus },
  { title: 'Billing amount EUR', cell: ({ billingAmount }) => billingAmount },
  { title: 'Billed at', cell: ({ billedAt }) => billedAt },
  { title: 'Billing batch', cell: ({ billingBatchId }) => billingBatchId },
];

/** The header line, after the byte order mark by which spreadsheets recognize UTF-8. */
const csvHeader = `\uFEFF${csvLines([columns.map(({ title }) => title)])}`;

const toCsvRows = (rows: readonly ExportedRedemption[]): string =>
  csvLines(rows.map((row) => columns.map(({ cell }) => cell(row))));
