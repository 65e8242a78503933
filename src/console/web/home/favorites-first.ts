/** The favourites, then the others, each in the order in which they were. */
export const favoritesFirst = <Assistant extends { isFavorite: boolean }>(
  assistants: readonly Assistant[],
): Assistant[] =>
  assistants.toSorted((one, other) => Number(other.isFavorite) - Number(one.isFavorite));
