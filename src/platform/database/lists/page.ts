/**
 * The part of a list that a caller requests: a page by its number, or the rows after or before a
 * cursor.
 */
export type PageRequest = {
  /** The maximum number of rows; undefined for the complete list. */
  size: number | undefined;
  /** The number of the page; 1 for a request with cursors. */
  page: number;
  after?: string | undefined;
  before?: string | undefined;
  /** True for the last rows of the range instead of the first ones. */
  isBackward?: boolean;
  /** True for a request by `first`, `last`, `after` or `before`. */
  isByCursor?: boolean;
  needs: PageNeeds;
};

/** What a page must contain beside its rows. Each of these costs time in the database. */
export type PageNeeds = {
  total?: boolean;
  cursors?: boolean;
  hasNextPage?: boolean;
  hasPreviousPage?: boolean;
};

/** One page of a list. The values that the request does not need are undefined. */
export type Page<Item> = {
  nodes: Item[];
  /** The cursor of a node by its index. */
  cursorAt: ((index: number) => string) | undefined;
  total: number | undefined;
  page: number;
  pageSize: number;
  hasNextPage: boolean | undefined;
  hasPreviousPage: boolean | undefined;
};

/** A numbered page with its total. */
export const numberedPage = (page: number, size: number): PageRequest => ({
  page,
  size,
  needs: { total: true },
});
