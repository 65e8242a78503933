import { fragment } from '../../../platform/database/sql.ts';
import { type SigningKey, signText } from '../../runs/receipts/signed-text.ts';

/** What a checkpoint says: the root of the tree when it had so many entries. */
export type CheckpointText = {
  organizationId: string;
  size: number;
  root: string;
  at: string;
  previousRoot: string | null;
};

export type Checkpoint = CheckpointText & { jws: string };

export const signCheckpoint = (
  { organizationId, size, root, at, previousRoot }: CheckpointText,
  key: SigningKey,
): string =>
  signText(
    JSON.stringify({ organizationId, size, root, at, previousRoot }),
    key,
    'audit-checkpoint',
  );

/** The columns of `audit_checkpoints c`. */
export const checkpointColumns = fragment`
  c.organization_id as "organizationId", c.size::float8 as size, c.root_hash as root, c.at, c.previous_root_hash as "previousRoot", c.jws`;
