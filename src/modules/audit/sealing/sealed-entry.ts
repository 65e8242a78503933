import { fragment } from '../../../platform/database/sql.ts';
import { type AuditChange, changesOf } from '../audit-changes.ts';
import type { AuditEntry } from '../audit-entry.ts';
import { canonicalJson } from './canonical-json.ts';
import { leafHashOf } from './merkle-tree.ts';

/** An entry at its position in the tree, as the export has it. */
export type SealedEntry = Omit<AuditEntry, 'changes'> & {
  position: number;
  changes: AuditChange[];
  leafHash: string;
};

/** A row of `audit_leaves l` with its entry. */
export type SealedRow = AuditEntry & { position: number; leafHash: string };

/** The columns of `audit_leaves l` beside those of its entry. */
export const leafColumns = fragment`l.position::float8 as position, encode(l.hash, 'hex') as "leafHash"`;

export const toSealedEntry = ({ position, leafHash, ...entry }: SealedRow): SealedEntry => ({
  ...entry,
  position,
  leafHash,
  changes: changesOf(entry),
});

/**
 * The hash of an entry: of its line in the export without `leafHash`, as canonical JSON. What is
 * added here changes the hashes of entries that are sealed, so their exports no longer fit.
 */
export const hashEntry = (position: number, entry: AuditEntry): Buffer => {
  const { id, at, actorKind, actorKeyId, actorUserId, action, targetType, targetId } = entry;
  const { requestId, network, device } = entry;
  return hashLine({
    ...{ position, id, at, actorKind, actorKeyId, actorUserId, action, targetType, targetId },
    ...{ changes: changesOf(entry), requestId, network, device },
  });
};

/** The hash of a line of the export, without its `leafHash`. */
export const hashLine = (line: object): Buffer => leafHashOf(canonicalJson(line));
