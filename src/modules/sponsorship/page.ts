export type Page<Item> = { items: Item[]; total: number; page: number; pageSize: number; totalPages: number };
export type Asked = { page: number; pageSize: number };

export const offsetOf = ({ page, pageSize }: Asked): number => Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);

/** A row of one page among several. A page without items has one row of which only owner and total are there. */
export type PageRow<Item extends { id: string }> = { ownerId: string; total: number } & (Item | { id: null });

/** The pages of these owners, in their order; undefined for an owner of whom there is no row. */
export function pagesOf<Item extends { id: string }>(rows: PageRow<Item>[], ownerIds: readonly string[], asked: Asked): (Page<Item> | undefined)[] {
  const byOwner = Map.groupBy(rows, ({ ownerId }) => ownerId);
  return ownerIds.map((ownerId) => {
    const own = byOwner.get(ownerId);
    return own && pageOf(own, asked);
  });
}

function pageOf<Item extends { id: string }>(rows: PageRow<Item>[], { page, pageSize }: Asked): Page<Item> {
  const total = rows[0]?.total ?? 0;
  return { items: rows.filter(isItem), total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
}

const isItem = <Item extends { id: string }>(row: PageRow<Item>): row is PageRow<Item> & Item => row.id !== null;
