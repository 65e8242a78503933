import { lazyPart, pendingPart } from '../../ui/lazy-part.tsx';

/** What differs between two versions. The program that compares texts is loaded when it is needed. */
export const Difference = lazyPart(
  async () => (await import('./difference.tsx')).Difference,
  pendingPart,
);
