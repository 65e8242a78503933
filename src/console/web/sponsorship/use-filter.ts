import { useSearchParams } from 'wouter';

/**
 * What a list is narrowed to, kept in the address: it survives a reload, and can be sent to
 * somebody. Another filter begins at page 1.
 */
export function useFilter(names: readonly string[]) {
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('page'));
  const page = Number.isSafeInteger(asked) && asked >= 1 ? asked : 1;
  const filter: Record<string, string | undefined> = Object.fromEntries(
    names.map((name) => [name, params.get(name) || undefined]),
  );

  const put = (name: string, value: string, keepsPage: boolean) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
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
    set: (name: string, value: string) => put(name, value, false),
    setPage: (next: number) => put('page', next === 1 ? '' : String(next), true),
  };
}
