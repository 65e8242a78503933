import { createHash } from 'node:crypto';
import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { filesOf, type ShipServer } from './test-storage.ts';

/** An acknowledged write: a user exists, a file has this content, or a file is gone. */
export type AcknowledgedWrite = { kind: 'user' | 'file' | 'gone'; id: string; hash: string };

/**
 * Creates users and uploads, replaces and deletes files with four parallel writers until it is
 * stopped. Records the acknowledged writes in order.
 */
export function startWriting(
  server: ShipServer,
  { organizationKey, users, assistants }: Workspace,
  seed: number,
) {
  const acknowledged: AcknowledgedWrite[] = [];
  const faults: string[] = [];
  let isStopping = false;
  const key = users[0]?.userKey ?? '';
  const assistantId = assistants[0]?.id ?? '';
  let counter = 0;

  async function createUser(): Promise<void> {
    counter += 1;
    const { user } = await server.json('POST', '/api/user-management/v1/users', organizationKey, {
      email: `new-${seed}-${counter}@partner.example`,
    });
    acknowledged.push({ kind: 'user', id: user.id, hash: '' });
  }

  async function upload(method: 'POST' | 'PUT', rest = ''): Promise<string> {
    counter += 1;
    const content = `The words of file ${counter} of ${seed}. `.repeat(
      200 + ((counter * 37) % 900),
    );
    const form = new FormData();
    form.set('file', new Blob([content], { type: 'text/plain' }), `notes-${counter}.txt`);
    const { file } = await server.json(method, filesOf(assistantId, rest), key, form);
    acknowledged.push({
      kind: 'file',
      id: file.id,
      hash: createHash('sha256').update(content).digest('hex'),
    });
    return file.id;
  }

  async function changeFile(): Promise<void> {
    const fileId = await upload('POST');
    const choice = (counter * 2_654_435_761) % 10;
    if (choice < 3) return;
    const addDeletion = (id: string) => acknowledged.push({ kind: 'gone', id, hash: '' });
    if (choice < 7) {
      await upload('PUT', `/${fileId}`);
      addDeletion(fileId);
      return;
    }
    await server.json('DELETE', filesOf(assistantId, `/${fileId}`), key);
    addDeletion(fileId);
  }

  async function repeatUntilStopped(step: () => Promise<void>): Promise<void> {
    while (!isStopping) {
      await step().catch((error: unknown) => {
        if (!isStopping) faults.push(String(error));
        isStopping ||= faults.length > 20;
      });
    }
  }
  const ended = Promise.all([
    repeatUntilStopped(createUser),
    repeatUntilStopped(changeFile),
    repeatUntilStopped(changeFile),
    repeatUntilStopped(changeFile),
  ]);
  return {
    acknowledged,
    faults,
    async stop() {
      isStopping = true;
      await ended;
    },
  };
}

/** The first `before` acknowledged writes, without those that a later write changed. */
export function unchangedSince(
  acknowledged: readonly AcknowledgedWrite[],
  before: number,
): AcknowledgedWrite[] {
  const lastWrites = new Map(acknowledged.map(({ id }, index) => [id, index]));
  return acknowledged.slice(0, before).filter(({ id }) => (lastWrites.get(id) ?? 0) < before);
}

/** The acknowledged writes that this server does not show. */
export async function findLostWrites(
  server: ShipServer,
  { organizationKey, users, assistants }: Workspace,
  acknowledged: readonly AcknowledgedWrite[],
): Promise<string[]> {
  const key = users[0]?.userKey ?? '';
  const lastWrites = new Map(acknowledged.map((write) => [write.id, write]));
  const faults: string[] = [];
  for (const { kind, id, hash } of lastWrites.values()) {
    const path =
      kind === 'user'
        ? `/api/user-management/v1/users/${id}`
        : filesOf(assistants[0]?.id ?? '', `/${id}/content`);
    const { status, bytes } = await server.send(
      'GET',
      path,
      kind === 'user' ? organizationKey : key,
    );
    if (status !== (kind === 'gone' ? 404 : 200)) faults.push(`${kind} ${id} answers ${status}`);
    else if (kind === 'file' && createHash('sha256').update(bytes).digest('hex') !== hash)
      faults.push(`file ${id} has other bytes`);
  }
  return faults;
}
