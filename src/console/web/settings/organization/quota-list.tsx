import { Progress } from '../../ui/progress.tsx';
import type { OrganizationTermsQuery } from './documents.ts';

type OrganizationQuota = OrganizationTermsQuery['organization']['quotas'][number];

const count = new Intl.NumberFormat();
const megabytes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

const quotaTexts: Record<
  OrganizationQuota['name'],
  { label: string; formatAmount: (value: number) => string }
> = {
  FILES: { label: 'Files', formatAmount: (files) => count.format(files) },
  BYTES: {
    label: 'Total file size',
    formatAmount: (bytes) => `${megabytes.format(bytes / 1_000_000)} MB`,
  },
  PASSAGES: { label: 'Passages in the vault', formatAmount: (passages) => count.format(passages) },
  RUNS: { label: 'Concurrent runs', formatAmount: (runs) => count.format(runs) },
  UPLOADS: { label: 'Concurrent uploads', formatAmount: (uploads) => count.format(uploads) },
};

/** How much of each quota the organization uses. */
export function QuotaList({ quotas }: { quotas: readonly OrganizationQuota[] }) {
  return (
    <>
      <p className="quiet">
        When a quota is used up, uploads and runs are rejected. Delete files that you no longer
        need, or ask platform support for more.
      </p>
      <ul className="settings-features">
        {quotas.map(({ name, used, limit }) => {
          const { label, formatAmount } = quotaTexts[name];
          return (
            <li key={name}>
              <span>
                <strong>{label}</strong>
                <span className="hint">
                  {formatAmount(used)} of {formatAmount(limit)}
                </span>
              </span>
              <Progress label={label} value={limit === 0 ? 1 : Math.min(1, used / limit)} />
            </li>
          );
        })}
      </ul>
    </>
  );
}
