import type { ReactNode } from 'react';
import type { Answer } from '../graph/use-answer.ts';
import { FaultNote } from './fault-note.tsx';
import { Loading } from './loading.tsx';

type LoadedProps<Data> = {
  answer: Answer<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
};

/**
 * What an answer looks like at each stage: awaited, refused, there. What is there stays while it is
 * asked again.
 */
export function Loaded<Data>({
  answer: { data, fault, again },
  lines = 4,
  children,
}: LoadedProps<Data>) {
  if (data !== undefined && data !== null) {
    return (
      <>
        {fault && <FaultNote fault={fault} again={again} />}
        {children(data)}
      </>
    );
  }
  return fault ? <FaultNote fault={fault} again={again} /> : <Loading lines={lines} />;
}
