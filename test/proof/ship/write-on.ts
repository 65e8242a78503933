import { createHash } from 'node:crypto';
import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { filesOf, type Place } from './place.ts';

/**
 * What somebody was told: this person is there, this file has this content or is gone. `at` counts
 * acknowledgements.
 */
export type Told = { kind: 'user' | 'file' | 'gone'; id: string; hash: string };

/**
 * Writes to an organization from several sides at once until it is stopped: people, files that
 * come, are replaced and go. Keeps what was acknowledged, in that order.
 */
export function writeOn(
  place: Place,
  { organizationKey, users, assistants }: Workspace,
  seed: number,
) {
  const told: Told[] = [];
  const faults: string[] = [];
  let stopping = false;
  const key = users[0]?.userKey ?? '';
  const assistantId = assistants[0]?.id ?? '';
  let made = 0;

  async function person(): Promise<void> {
    made += 1;
    const { user } = await place.json('POST', '/api/user-management/v1/users', organizationKey, {
      email: `new-${seed}-${made}@partner.example`,
    });
    told.push({ kind: 'user', id: user.id, hash: '' });
  }

  async function upload(method: 'POST' | 'PUT', rest = ''): Promise<string> {
    made += 1;
    const content = `The words of file ${made} of ${seed}. `.repeat(200 + ((made * 37) % 900));
    const form = new FormData();
    form.set('file', new Blob([content], { type: 'text/plain' }), `notes-${made}.txt`);
    const { file } = await place.json(method, filesOf(assistantId, rest), key, form);
    told.push({
      kind: 'file',
      id: file.id,
      hash: createHash('sha256').update(content).digest('hex'),
    });
    return file.id;
  }

  async function file(): Promise<void> {
    const first = await upload('POST');
    const chance = (made * 2_654_435_761) % 10;
    if (chance < 3) return;
    const gone = (id: string) => told.push({ kind: 'gone', id, hash: '' });
    if (chance < 7) {
      await upload('PUT', `/${first}`);
      gone(first);
      return;
    }
    await place.json('DELETE', filesOf(assistantId, `/${first}`), key);
    gone(first);
  }

  async function goOn(step: () => Promise<void>): Promise<void> {
    while (!stopping) {
      await step().catch((error: unknown) => {
        if (!stopping) faults.push(String(error));
        stopping ||= faults.length > 20;
      });
    }
  }
  const ended = Promise.all([goOn(person), goOn(file), goOn(file), goOn(file)]);
  return {
    told,
    faults,
    async stop() {
      stopping = true;
      await ended;
    },
  };
}

/** Of what was told before something began that which nobody has changed since. */
export function settled(told: readonly Told[], before: number): Told[] {
  const last = new Map(told.map(({ id }, index) => [id, index]));
  return told.slice(0, before).filter(({ id }) => (last.get(id) ?? 0) < before);
}

/** What was told and does not hold at this place. */
export async function broken(
  place: Place,
  { organizationKey, users, assistants }: Workspace,
  told: readonly Told[],
): Promise<string[]> {
  const key = users[0]?.userKey ?? '';
  const last = new Map(told.map((one) => [one.id, one]));
  const faults: string[] = [];
  for (const { kind, id, hash } of last.values()) {
    const path =
      kind === 'user'
        ? `/api/user-management/v1/users/${id}`
        : filesOf(assistants[0]?.id ?? '', `/${id}/content`);
    const { status, bytes } = await place.send(
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
