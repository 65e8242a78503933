import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';

export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <div className={`notice notice-${tone}`}>{children}</div>;
}
