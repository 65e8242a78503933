import type { RequestContext } from '../http/request-context.ts';

/** The field of a list's operation with the position of its page. It is not in the body. */
export const pageInfoField = 'pageInfo';

type PageInfo = {
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
};
/** The parameter that leads to a page; empty for the first one. */
type Position = string;

const positionNames = new Set(['page', 'after', 'before']);

/** Whether a page after or before a cursor is requested, instead of a numbered page. */
export const isByCursor = (query: URLSearchParams): boolean =>
  query.has('after') || query.has('before');

/**
 * The value of the `Link` header of a list (RFC 8288), or undefined for a complete list. A client
 * that has chosen a numbered page gets numbers, and any other client gets cursors, so that entries
 * that are added or deleted meanwhile do not move the next page.
 */
export function listLinks(
  { result }: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
  { pathname, query }: Pick<RequestContext, 'pathname' | 'query'>,
  origin: string,
): string | undefined {
  const pageInfo: PageInfo = Object(result)[pageInfoField];
  const { page, totalPages } = body;
  const links = new Map<string, Position | false>([['first', '']]);
  const after =
    pageInfo.hasNextPage && pageInfo.endCursor !== null && `after=${pageInfo.endCursor}`;
  if (isByCursor(query)) {
    const { hasPreviousPage, startCursor } = pageInfo;
    links.set('prev', hasPreviousPage && startCursor !== null && `before=${startCursor}`);
    links.set('next', after);
  } else if (typeof page === 'number' && typeof totalPages === 'number') {
    const isNumbered = query.has('page');
    if (isNumbered) links.set('first', 'page=1');
    links.set('prev', page > 1 && totalPages > 0 && `page=${Math.min(page - 1, totalPages)}`);
    links.set('next', isNumbered ? page < totalPages && `page=${page + 1}` : after);
    links.set('last', totalPages > 0 && `page=${totalPages}`);
  } else {
    if (!query.has('pageSize')) return undefined;
    links.set('next', after);
  }
  const others = [...query].filter(([name]) => !positionNames.has(name));
  const kept = others.length > 0 ? new URLSearchParams(others).toString() : '';
  return [...links]
    .flatMap(([relation, position]) => {
      if (position === false) return [];
      const search = [kept, position].filter(Boolean).join('&');
      return `<${origin}${pathname}${search && `?${search}`}>; rel="${relation}"`;
    })
    .join(', ');
}
