import type { Chance } from './chance.ts';
import type { Target, Workspace } from './target.ts';

export type IdKind = 'assistantId' | 'campaignId' | 'linkId' | 'redemptionId' | 'userId' | 'teamId';
export type FileIds = { assistantId: string; documentId: string };

/**
 * What is there to be asked for, and what is made meanwhile. Who holds the keys is not in it:
 * somebody must go on asking.
 */
export type LiveIds = Record<IdKind, string[]> & {
  files: FileIds[];
  foreign: Record<IdKind, string[]>;
};

const kept = 60;

export async function readLiveIds({
  address,
  organizations: [own, other],
}: Target): Promise<LiveIds> {
  if (!own || !other) throw new Error('two organizations are needed');
  const mine = await idsOf(address, own);
  const holders = new Set(own.users.slice(0, 2).map(({ id }) => id));
  const files = await Promise.all(
    mine.assistantId.map((assistantId) => filesOf(address, own, assistantId)),
  );
  return {
    ...mine,
    userId: mine.userId.filter((id) => !holders.has(id)),
    files: files.flat(),
    foreign: await idsOf(address, other),
  };
}

async function idsOf(address: string, workspace: Workspace): Promise<Record<IdKind, string[]>> {
  const ask = asking(address, workspace.organizationKey);
  const campaignId = await ask('/api/sponsorship/v1/campaigns', 'campaigns');
  const within = async (what: string) =>
    (
      await Promise.all(
        campaignId.map((id) => ask(`/api/sponsorship/v1/campaigns/${id}/${what}`, what)),
      )
    ).flat();
  return {
    assistantId: workspace.assistants.map(({ id }) => id),
    campaignId,
    linkId: await within('links'),
    redemptionId: await within('redemptions'),
    userId: workspace.users.map(({ id }) => id),
    teamId: workspace.teams.map(({ id }) => id),
  };
}

async function filesOf(
  address: string,
  { users: [administrator] }: Workspace,
  assistantId: string,
): Promise<FileIds[]> {
  const ids = await asking(address, administrator?.userKey ?? '')(
    `/api/assistant-files/v1/assistants/${assistantId}/files`,
    'files',
  );
  return ids.map((documentId) => ({ assistantId, documentId }));
}

const asking = (address: string, key: string) => async (path: string, list: string) => {
  const answer = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
  const body = (await answer.json()) as Record<string, { id: string }[]>;
  return (body[list] ?? []).map(({ id }) => id);
};

/** An id that is most likely there; now and then another organization's, or nobody's. */
export function idFor(chance: Chance, kind: IdKind, ids: LiveIds): string {
  if (chance.percent(5))
    return chance.pick(ids.foreign[kind].length > 0 ? ids.foreign[kind] : ['nobody']);
  if (ids[kind].length === 0 || chance.percent(3)) return nobodysId(chance);
  return chance.pick(ids[kind]);
}

export function fileFor(chance: Chance, ids: LiveIds): FileIds {
  if (ids.files.length === 0 || chance.percent(5))
    return { assistantId: idFor(chance, 'assistantId', ids), documentId: nobodysId(chance) };
  return chance.pick(ids.files);
}

export const nobodysId = (chance: Chance) =>
  `019bc0fd-89c0-7${chance.text(3, 'abcdef0123456789')}-8${chance.text(3, 'abcdef0123456789')}-${chance.text(12, 'abcdef0123456789')}`;

/** New things are asked for as well; the oldest make room. */
export function learn(list: string[], id: unknown): void {
  if (typeof id !== 'string' || list.includes(id)) return;
  list.push(id);
  if (list.length > kept) list.shift();
}

export function learnFile(ids: LiveIds, file: FileIds): void {
  ids.files.push(file);
  if (ids.files.length > kept) ids.files.shift();
}

export function forget(ids: LiveIds, path: string): void {
  const last = path.split(/[/?]/).at(-1) ?? '';
  // A team or a person who is gone; who was only taken out of a team is still there.
  if (/\/(users|teams)\/[^/]+$/.test(path) && !/\/teams\/[^/]+\/users\//.test(path)) {
    ids.userId = ids.userId.filter((id) => id !== last);
    ids.teamId = ids.teamId.filter((id) => id !== last);
  }
  ids.files = ids.files.filter(({ documentId }) => documentId !== last);
}
