import { generateKeyPairSync } from 'node:crypto';
import { signCheckpoint } from '../../src/modules/audit/sealing/checkpoint.ts';
import {
  addSubtree,
  type HashedSubtree,
  rootOf,
  subtreesOf,
} from '../../src/modules/audit/sealing/merkle-tree.ts';
import { hashLine } from '../../src/modules/audit/sealing/sealed-entry.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const signingKey = { id: 'key of tests', privateKey };

/** The public keys with which the exports of this module are checked. */
export const exportKeys = new Map([
  [
    signingKey.id,
    { kty: 'OKP', crv: 'Ed25519', x: publicKey.export({ format: 'jwk' }).x ?? '' } as const,
  ],
]);

/** The line of an entry, as the export has it. */
export function lineAt(position: number, name = `Team ${position}`): string {
  const content = {
    position,
    id: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
    at: new Date(Date.UTC(2026, 0, 1) + position * 1_000).toISOString(),
    actorKind: 'SESSION',
    actorKeyId: null,
    actorUserId: 'person',
    action: 'rename-team',
    targetType: 'Team',
    targetId: `team-${position % 97}`,
    changes: [{ field: 'name', value: name, before: `Team ${position - 1}` }],
    requestId: `request-${position}`,
    network: '192.0.2.7',
    device: 'Firefox on Windows',
  };
  return JSON.stringify({ ...content, leafHash: hashLine(content).toString('hex') });
}

export const hashOfLine = (line: string): Buffer =>
  Buffer.from(String(Object(JSON.parse(line)).leafHash), 'hex');

/** A signed checkpoint of the first `size` leaves. */
export function checkpointOf(hashes: readonly Buffer[], size = hashes.length) {
  const stack: HashedSubtree[] = [];
  for (const [index, hash] of hashes.slice(0, size).entries())
    addSubtree(stack, { level: 0, index, hash });
  return signedCheckpoint(size, rootOf(stack));
}

export function signedCheckpoint(size: number, root: Buffer) {
  const fields = {
    organizationId: 'organization',
    ...{ size, root: root.toString('hex') },
    ...{ at: '2026-02-01T00:00:00.000Z', previousRoot: null },
  };
  return { ...fields, jws: signCheckpoint(fields, signingKey) };
}

/** The lines of an export of positions, with its end. */
export function exportOf(lines: readonly string[], first = 0, end = lines.length): string[] {
  const hashes = lines.map(hashOfLine);
  const hashIn = ({ level, index }: { level: number; index: number }) =>
    rootOfLeaves(hashes.slice(index * 2 ** level, (index + 1) * 2 ** level));
  const part = {
    first,
    entries: end - first,
    before: subtreesOf(0, first).map(hashIn),
    after: subtreesOf(end, lines.length).map(hashIn),
    checkpoint: checkpointOf(hashes),
  };
  return [...lines.slice(first, end), JSON.stringify(part)];
}

function rootOfLeaves(hashes: readonly Buffer[]): string {
  const stack: HashedSubtree[] = [];
  for (const [index, hash] of hashes.entries()) addSubtree(stack, { level: 0, index, hash });
  return rootOf(stack).toString('hex');
}
