import { type Cursors, readCursors } from './cursors.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type HttpAnswer, type HttpRequest, parseJson } from './send.ts';
import type { FuzzTarget, Workspace } from './target.ts';

export type IdKind =
  | 'assistantId'
  | 'campaignId'
  | 'linkId'
  | 'redemptionId'
  | 'userId'
  | 'teamId'
  | 'runId'
  | 'conversationId'
  | 'endpointId'
  | 'deliveryId'
  | 'entryId';
export type FileIds = { assistantId: string; documentId: string };

/**
 * Ids of existing objects, including those created during the proof. The users that hold the keys
 * are left out, because deleting them would end the proof.
 */
export type LiveIds = Record<IdKind, string[]> & {
  files: FileIds[];
  cursors: Cursors;
  foreign: Record<IdKind, string[]>;
  foreignEmails: string[];
  /** The address that webhooks are sent to. */
  receiverUrl: string;
};

const idsMax = 60;

export async function readLiveIds(target: FuzzTarget): Promise<LiveIds> {
  const {
    address,
    organizations: [own, other],
  } = target;
  if (!own || !other) throw new Error('two organizations are needed');
  const ownIds = await readIds(address, own);
  const keyHolders = new Set(own.users.slice(0, 2).map(({ id }) => id));
  const files = await Promise.all(
    ownIds.assistantId.map((assistantId) => readFileIds(address, own, assistantId)),
  );
  return {
    ...ownIds,
    userId: ownIds.userId.filter((id) => !keyHolders.has(id)),
    files: files.flat(),
    cursors: await readCursors(target, ownIds),
    foreign: await readIds(address, other),
    foreignEmails: other.users.map(({ email }) => email),
    receiverUrl: target.receiverUrl,
  };
}

async function readIds(address: string, workspace: Workspace): Promise<Record<IdKind, string[]>> {
  const listIds = createLister(address, workspace.organizationKey);
  const listOwnIds = createLister(address, workspace.users[0]?.userKey ?? '');
  const campaignId = await listIds('/api/sponsorship/v1/campaigns', 'campaigns');
  const idsInCampaigns = async (what: string) =>
    (
      await Promise.all(
        campaignId.map((id) => listIds(`/api/sponsorship/v1/campaigns/${id}/${what}`, what)),
      )
    ).flat();
  const endpointId = await listIds('/api/events/v1/endpoints', 'endpoints');
  const deliveryIds = await Promise.all(
    endpointId.map((id) => listIds(`/api/events/v1/endpoints/${id}/deliveries`, 'deliveries')),
  );
  return {
    assistantId: workspace.assistants.map(({ id }) => id),
    campaignId,
    linkId: await idsInCampaigns('links'),
    redemptionId: await idsInCampaigns('redemptions'),
    userId: workspace.users.map(({ id }) => id),
    teamId: workspace.teams.map(({ id }) => id),
    runId: await listOwnIds('/api/assistants/v1/runs', 'runs'),
    conversationId: await listOwnIds('/api/conversations/v1/conversations', 'conversations'),
    endpointId,
    deliveryId: deliveryIds.flat(),
    entryId: await listIds('/api/audit/v1/entries', 'entries'),
  };
}

async function readFileIds(
  address: string,
  { users: [administrator] }: Workspace,
  assistantId: string,
): Promise<FileIds[]> {
  const ids = await createLister(address, administrator?.userKey ?? '')(
    `/api/assistant-files/v1/assistants/${assistantId}/files`,
    'files',
  );
  return ids.map((documentId) => ({ assistantId, documentId }));
}

const createLister = (address: string, key: string) => async (path: string, list: string) => {
  const answer = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
  const body = (await answer.json()) as Record<string, { id: string }[]>;
  return (body[list] ?? []).map(({ id }) => id);
};

/** Whether ids of this kind are known. */
const isKnownKind = (name: string, ids: LiveIds): name is IdKind =>
  Object.hasOwn(ids.foreign, name);

/** An id that mostly exists; sometimes one of another organization or an unknown one. */
export function idFor(random: SeededRandom, kind: string, ids: LiveIds): string {
  if (!isKnownKind(kind, ids)) return unknownId(random);
  if (random.percent(5))
    return random.pick(ids.foreign[kind].length > 0 ? ids.foreign[kind] : ['unknown']);
  if (ids[kind].length === 0 || random.percent(3)) return unknownId(random);
  return random.pick(ids[kind]);
}

export function fileFor(random: SeededRandom, ids: LiveIds): FileIds {
  if (ids.files.length === 0 || random.percent(5))
    return { assistantId: idFor(random, 'assistantId', ids), documentId: unknownId(random) };
  return random.pick(ids.files);
}

export const unknownId = (random: SeededRandom) =>
  `019bc0fd-89c0-7${random.text(3, 'abcdef0123456789')}-8${random.text(3, 'abcdef0123456789')}-${random.text(12, 'abcdef0123456789')}`;

/** Adds the id of a new object, and drops the oldest beyond the limit. */
export function addId(list: string[], id: unknown): void {
  if (typeof id !== 'string' || list.includes(id)) return;
  list.push(id);
  if (list.length > idsMax) list.shift();
}

function addFileIds(ids: LiveIds, file: FileIds): void {
  ids.files.push(file);
  if (ids.files.length > idsMax) ids.files.shift();
}

function removeIdsInPath(ids: LiveIds, path: string): void {
  const last = path.split(/[/?]/).at(-1) ?? '';
  // Deletes a user or team. A user who only left a team still exists.
  if (/\/(users|teams)\/[^/]+$/.test(path) && !/\/teams\/[^/]+\/users\//.test(path)) {
    ids.userId = ids.userId.filter((id) => id !== last);
    ids.teamId = ids.teamId.filter((id) => id !== last);
  }
  ids.runId = ids.runId.filter((id) => id !== last);
  ids.conversationId = ids.conversationId.filter((id) => id !== last);
  ids.endpointId = ids.endpointId.filter((id) => id !== last);
  ids.files = ids.files.filter(({ documentId }) => documentId !== last);
}

/** Adds what a request has created, and removes what it has deleted. */
export function updateIds(ids: LiveIds, { method, path }: HttpRequest, { body }: HttpAnswer): void {
  if (method === 'DELETE') removeIdsInPath(ids, path);
  if (method !== 'POST' && method !== 'PUT') return;
  const parsed = Object(parseJson(body));
  const { campaign, link, team, user, file, conversation, endpoint, delivery } = parsed as Record<
    string,
    { id?: string } | undefined
  >;
  addId(ids.runId, parsed.runId);
  addId(ids.conversationId, conversation?.id);
  addId(ids.campaignId, campaign?.id);
  addId(ids.linkId, link?.id);
  addId(ids.teamId, team?.id);
  addId(ids.endpointId, endpoint?.id);
  addId(ids.deliveryId, delivery?.id);
  if (/\/users$/.test(path)) addId(ids.userId, user?.id);
  const [, assistantId] = /\/assistants\/([^/]+)\/files/.exec(path) ?? [];
  if (file?.id && assistantId) addFileIds(ids, { assistantId, documentId: file.id });
}
