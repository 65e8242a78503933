import { type ReactNode, useDeferredValue } from 'react';
import type { ApiFault } from '../graph/fault.ts';
import type { GraphQueryResult } from '../graph/use-graph.ts';
import { t } from '../texts/text.ts';
import { Button } from './button.tsx';

export type StatusTone = 'good' | 'bad' | 'busy' | 'plain';

export const Badge = ({ tone = 'plain', children }: { tone?: StatusTone; children: ReactNode }) => (
  <span className={`badge badge-${tone}`}>{children}</span>
);

export const Notice = ({
  tone = 'plain',
  children,
}: {
  tone?: StatusTone;
  children: ReactNode;
}) => <div className={`notice notice-${tone}`}>{children}</div>;

/** Why a query or an action failed; nothing when it did not. */
export const FaultNote = ({
  fault,
  onRetry,
}: {
  fault: ApiFault | undefined;
  onRetry?: () => void;
}) =>
  fault && (
    <div className="notice notice-bad" role="alert">
      <p>{fault.message}</p>
      {onRetry && <Button onClick={onRetry}>{t('ui.tryAgain')}</Button>}
    </div>
  );

type EmptyStateProps = { title: string; children?: ReactNode; action?: ReactNode };

/** Shown in place of an empty list: what would be here, and how to create the first entry. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {children && <div className="quiet">{children}</div>}
    {action && <div className="empty-action">{action}</div>}
  </div>
);

/**
 * A placeholder with the height of the content that is loading, so that the layout does not jump.
 */
export const Loading = ({ lines = 3 }: { lines?: number }) => (
  <div className="loading" role="status" aria-busy="true">
    <span className="sr-only">{t('ui.loading')}</span>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder lines are identical and never change their order
      <span key={line} className="loading-line" aria-hidden="true" />
    ))}
  </div>
);

type LoadedProps<Data> = {
  answer: GraphQueryResult<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
};

/**
 * Shows the result of a query: a placeholder while it loads, the error when it failed, or the data.
 * The data stay visible while the query is fetched again.
 */
export function Loaded<Data>({
  answer: { data, fault, refetch },
  lines = 4,
  children,
}: LoadedProps<Data>) {
  const hasData = data !== undefined && data !== null;
  // Drawing the data for the first time can take a while on a phone. What follows a deferred value
  // is drawn in steps, and between them the page answers clicks.
  const drawsData = useDeferredValue(hasData);
  return (
    <>
      <FaultNote fault={fault} onRetry={refetch} />
      {hasData && drawsData ? children(data) : !fault && <Loading lines={lines} />}
    </>
  );
}

/** A progress bar from 0 to 1; without a value the progress is unknown. */
export const Progress = ({ value, label }: { value?: number | undefined; label: string }) => (
  <progress
    className="progress"
    aria-label={label}
    {...(value === undefined ? {} : { value })}
    max={1}
  />
);
