import type { Context, Viewer } from '../../access/context.ts';
import { isNotDenied } from '../../access/watch-access.ts';
import { AppError } from '../../platform/errors.ts';

/**
 * Two callers with the same text may read the same: it has the key or session, the organization and
 * every right. Two keys of one organization differ, because a query can read its own key.
 */
export const rightsOf = (viewer: Viewer | null): string =>
  JSON.stringify(
    viewer && Object.entries({ ...viewer, features: [...viewer.features].sort() }).sort(byName),
  );

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

/** Whether the caller still has exactly these rights. An unreachable database changes none. */
export const hasStillRights = (
  { identifyAgain }: Pick<Context, 'identifyAgain'>,
  rights: string,
): Promise<boolean> =>
  isNotDenied(async () => {
    if (rightsOf(await identifyAgain()) !== rights) throw accessEnded();
  });

export const accessEnded = () => new AppError('FORBIDDEN', 'Your access has ended', 'ACCESS_ENDED');
