import { tableCalls } from '../../support/openapi.ts';
import type { DraftRequest } from './rest-requests.ts';
import type { FuzzTarget } from './target.ts';

/** A cursor of each list, by the path of its call. */
export type Cursors = Readonly<Record<string, string>>;

type IdsInPath = Readonly<Record<string, readonly string[]>>;

/** Reads the cursor after the first entry of each list, which the document cannot describe. */
export async function readCursors(
  { address, organizations: [own] }: FuzzTarget,
  ids: IdsInPath,
): Promise<Cursors> {
  const cursors: Record<string, string> = {};
  for (const { template, call } of tableCalls) {
    if (!call.parameters.some(({ name }) => name === 'after')) continue;
    const isForUsers = call.security.some((scheme) => 'userKey' in scheme);
    const key = isForUsers ? own?.users[0]?.userKey : own?.organizationKey;
    for (const path of pathsOf(template, ids)) {
      const answer = await fetch(`${address}${path}?pageSize=1`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await answer.arrayBuffer();
      const [, cursor] = /[?&]after=([^&>]+)[^>]*>; rel="next"/.exec(
        answer.headers.get('link') ?? '',
      ) ?? [null, undefined];
      if (cursor === undefined) continue;
      cursors[template] = decodeURIComponent(cursor);
      break;
    }
  }
  return cursors;
}

function pathsOf(template: string, ids: IdsInPath): string[] {
  const [placeholder, name = ''] = /\{(\w+)\}/.exec(template) ?? [];
  if (placeholder === undefined) return [template];
  return (ids[name] ?? []).map((id) => template.replace(placeholder, encodeURIComponent(id)));
}

/**
 * The document says in words that a cursor comes from an answer of the same list, and that it goes
 * neither with a number of a page nor with the other cursor.
 */
export function withCursorOf(
  template: string,
  query: DraftRequest['query'],
  cursors: Cursors,
): DraftRequest['query'] {
  const cursor = cursors[template];
  const position = query.find(([name]) => positions.has(name))?.[0];
  if (position === undefined) return query;
  const rest = query.filter(([name]) => !positions.has(name));
  // Cursors belong to one order, and updatedSince has another.
  if (cursor === undefined || rest.some(([name]) => name === 'updatedSince')) return rest;
  return [...rest.filter(([name]) => name !== 'page'), [position, cursor]];
}

const positions = new Set(['after', 'before']);
