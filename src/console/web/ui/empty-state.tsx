import type { ReactNode } from 'react';

/** Shown in place of an empty list: what would be here, and how to create the first entry. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children && <div className="quiet">{children}</div>}
      {action && <div className="empty-action">{action}</div>}
    </div>
  );
}
