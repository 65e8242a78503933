import type { ReactNode } from 'react';

/** Where there is nothing yet: what it would be, and how to begin. */
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
