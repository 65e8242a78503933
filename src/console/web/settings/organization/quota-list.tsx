import { Progress } from '../../ui/progress.tsx';
import type { OrganizationTermsQuery } from './documents.ts';

type Quota = OrganizationTermsQuery['organization']['quotas'][number];

const number = new Intl.NumberFormat();
const megabytes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

const texts: Record<Quota['name'], { label: string; amountOf: (value: number) => string }> = {
  FILES: { label: 'Files', amountOf: (files) => number.format(files) },
  BYTES: {
    label: 'Size of all files',
    amountOf: (bytes) => `${megabytes.format(bytes / 1_000_000)} MB`,
  },
  PASSAGES: { label: 'Passages in the vault', amountOf: (passages) => number.format(passages) },
  RUNS: { label: 'Runs at the same time', amountOf: (runs) => number.format(runs) },
  UPLOADS: { label: 'Uploads at the same time', amountOf: (uploads) => number.format(uploads) },
};

/** What the organization has used of each quota. */
export function QuotaList({ quotas }: { quotas: readonly Quota[] }) {
  return (
    <>
      <p className="quiet">
        Beyond a quota, uploads and runs are refused. Delete files that are no longer needed, or ask
        platform support for more.
      </p>
      <ul className="settings-features">
        {quotas.map(({ name, used, limit }) => {
          const { label, amountOf } = texts[name];
          return (
            <li key={name}>
              <span>
                <strong>{label}</strong>
                <span className="hint">
                  {amountOf(used)} of {amountOf(limit)}
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
