import { type ComponentProps, lazy, Suspense } from 'react';
import { Loading } from '../../ui/status.tsx';

const LoadedDifference = lazy(async () => ({
  default: (await import('./difference.tsx')).Difference,
}));

/** What differs between two versions. The program that compares texts is loaded when it is needed. */
export const Difference = (props: ComponentProps<typeof LoadedDifference>) => (
  <Suspense fallback={<Loading />}>
    <LoadedDifference {...props} />
  </Suspense>
);
