import type { ReactNode } from 'react';

export type StatusTone = 'good' | 'bad' | 'busy' | 'plain';

export function Badge({ tone = 'plain', children }: { tone?: StatusTone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
