import type { CallInput } from './build-request.ts';

type Page = { body: Record<string, unknown>; headers: Headers };

/**
 * The items of all pages of a list. Each page is requested when the items before it have been read.
 * If the server names the next page in a `Link` header, that page is next; otherwise it is the next
 * number. Between two numbered pages a new item moves the others on, so an item of the last page is
 * not given again.
 */
export async function* itemsOfPages(
  items: string,
  input: CallInput,
  load: (input: CallInput) => Promise<Page>,
): AsyncGenerator<unknown> {
  let previous = new Set<unknown>();
  let next: CallInput | undefined = input;
  let hasLinks = false;
  while (next) {
    const current: CallInput = next;
    const { body, headers } = await load(current);
    const found = body[items];
    const page = Array.isArray(found) ? found : [];
    for (const item of page) if (!previous.has(identityOf(item))) yield item;
    previous = new Set(page.map(identityOf));
    hasLinks ||= headers.has('link');
    next = hasLinks ? afterLink(headers, current) : afterNumber(body, current);
  }
}

/** Items without an id, such as statements, are the same if all of their fields are. */
const identityOf = (item: unknown): unknown => Object(item).id ?? JSON.stringify(item);

/** https://www.rfc-editor.org/rfc/rfc8288 */
function afterLink(headers: Headers, input: CallInput): CallInput | undefined {
  const target = /<([^>]*)>[^,]*\brel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  if (target === undefined) return undefined;
  const { searchParams } = new URL(target, 'http://localhost');
  return { ...input, ...Object.fromEntries(searchParams) };
}

function afterNumber(
  { page, totalPages }: Record<string, unknown>,
  input: CallInput,
): CallInput | undefined {
  return typeof page === 'number' && typeof totalPages === 'number' && page < totalPages
    ? { ...input, page: page + 1 }
    : undefined;
}
