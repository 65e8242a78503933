/** A team without its member count, which has a loader of its own. */
export type TeamRow = { id: string; name: string; isDefault: boolean };

/** How names are compared: whatever their case and the way their letters are composed. */
export const nameKeyOf = (name: string): string => name.normalize('NFKC').toLowerCase();
