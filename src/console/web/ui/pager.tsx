import { Button } from './button.tsx';

type PagerProps = { page: number; pageSize: number; total: number; onPage: (page: number) => void };

export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (total <= pageSize && page === 1) return null;
  const from = (page - 1) * pageSize + 1;
  return (
    <nav className="pager" aria-label="Pages">
      <span aria-live="polite">
        {from.toLocaleString()}–{Math.min(page * pageSize, total).toLocaleString()} of{' '}
        {total.toLocaleString()}
      </span>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
