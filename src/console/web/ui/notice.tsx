import type { ReactNode } from 'react';
import type { StatusTone } from './badge.tsx';

export function Notice({ tone = 'plain', children }: { tone?: StatusTone; children: ReactNode }) {
  return <div className={`notice notice-${tone}`}>{children}</div>;
}
