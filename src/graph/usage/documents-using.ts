import type { Usage } from './stored-usage.ts';

/** The documents that use a coordinate. */
export type CoordinateUsers = {
  /** Trusted documents, the most frequent first. */
  documents: { id: string; operations: readonly string[]; uses: number }[];
  /** The uses by all other documents together. */
  otherUses: number;
};

/** Documents without a row of their own have no coordinates, so their uses are the difference. */
export function documentsUsing(coordinate: string, usage: Usage): CoordinateUsers {
  const usesById = new Map<string, CoordinateUsers['documents'][number]>();
  for (const { id, operations, coordinates, uses } of usage.documents) {
    if (!coordinates.includes(coordinate)) continue;
    usesById.set(id, { id, operations, uses: (usesById.get(id)?.uses ?? 0) + uses });
  }
  const documents = [...usesById.values()].toSorted((a, b) => b.uses - a.uses);
  const documentUses = documents.reduce((sum, { uses }) => sum + uses, 0);
  return {
    documents,
    otherUses: Math.max(0, (usage.coordinates.get(coordinate) ?? 0) - documentUses),
  };
}
