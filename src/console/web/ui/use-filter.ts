import { useSearchParams } from 'wouter';

/**
 * The filters of a list, stored in the page's address, so that they survive a reload and can be
 * shared. Changing a filter returns to page 1.
 */
export function useFilter(names: readonly string[]) {
  const [params, setParams] = useSearchParams();
  const pageParameter = Number(params.get('page'));
  const page = Number.isSafeInteger(pageParameter) && pageParameter >= 1 ? pageParameter : 1;
  const filter: Record<string, string | undefined> = Object.fromEntries(
    names.map((name) => [name, params.get(name) || undefined]),
  );

  const setParameter = (name: string, value: string, keepsPage: boolean) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === '') next.delete(name);
        else next.set(name, value);
        if (!keepsPage) next.delete('page');
        return next;
      },
      { replace: true },
    );
  return {
    filter,
    page,
    set: (name: string, value: string) => setParameter(name, value, false),
    setPage: (next: number) => setParameter('page', next === 1 ? '' : String(next), true),
  };
}
