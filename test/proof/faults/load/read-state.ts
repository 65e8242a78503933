import type { ObjectStates } from './ledger.ts';
import type { AssistantState, FileState } from './library-actor.ts';
import type { DemoKeys } from './mixed-load.ts';
import type { CampaignState, LinkState } from './partner-actor.ts';
import type { TeamState, UserState } from './people-actor.ts';
import { graph, type ServerAddress, sendRequest } from './send-request.ts';

type ObjectWithId = { id: string };
type UserRow = ObjectWithId & { email: string; firstName: string; teams: ObjectWithId[] };
type AssistantRow = ObjectWithId &
  AssistantState & {
    files: { nodes: (ObjectWithId & { originalName: string; hash: string })[] };
  };

const pageSize = 100;

/** The objects of each actor. The name of an object begins with the name of its actor. */
export async function readState(
  server: ServerAddress,
  keys: DemoKeys,
): Promise<Map<string, ObjectStates>> {
  const statesByActor = new Map<string, ObjectStates>();
  const addState = (objectName: string, key: string, state: unknown) => {
    const actorName = /^([a-z]+)-\d/.exec(objectName)?.[1];
    if (actorName === undefined) return;
    const objects = statesByActor.get(actorName) ?? new Map<string, unknown>();
    // A map would hide an id that a list contains twice, so the second gets another key.
    objects.set(objects.has(key) ? `${key} again` : key, state);
    statesByActor.set(actorName, objects);
  };
  const listAll = <ListItem>(path: string, list: string) =>
    everyPage<ListItem>(server, keys.organizationKey, path, list);

  for (const { id, email, firstName, teams } of await listAll<UserRow>(
    '/api/user-management/v1/users',
    'users',
  )) {
    addState(email, `user:${id}`, {
      email,
      firstName,
      teams: teams.map((team) => team.id).toSorted(),
    } satisfies UserState);
  }
  const { teams } = await graph(
    server,
    keys.organizationKey,
    '{ teams { nodes { id name memberCount } } }',
  );
  for (const { id, name, memberCount } of Object(teams).nodes as (ObjectWithId & TeamState)[])
    addState(name, `team:${id}`, { name, memberCount } satisfies TeamState);
  for (const { id, name, durationMonths, isActive } of await listAll<ObjectWithId & CampaignState>(
    '/api/sponsorship/v1/campaigns',
    'campaigns',
  )) {
    addState(name, `campaign:${id}`, { name, durationMonths, isActive } satisfies CampaignState);
    for (const link of await listAll<ObjectWithId & LinkState>(
      `/api/sponsorship/v1/campaigns/${id}/links`,
      'links',
    )) {
      addState(link.name, `link:${link.id}`, {
        campaignId: id,
        name: link.name,
        isActive: link.isActive,
      } satisfies LinkState);
    }
  }
  const { assistants } = await graph(
    server,
    keys.userKey,
    '{ assistants { nodes { id name instructions files { nodes { id originalName hash } } } } }',
  );
  for (const { id, name, instructions, files } of Object(assistants).nodes as AssistantRow[]) {
    addState(name, `assistant:${id}`, { name, instructions } satisfies AssistantState);
    for (const { id: fileId, originalName, hash } of files.nodes) {
      addState(originalName, `file:${fileId}`, {
        assistantId: id,
        name: originalName,
        hash,
      } satisfies FileState);
    }
  }
  return statesByActor;
}

async function everyPage<ListItem>(
  server: ServerAddress,
  key: string,
  path: string,
  list: string,
): Promise<ListItem[]> {
  const items: ListItem[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body, text } = await sendRequest(server, {
      method: 'GET',
      path: `${path}?page=${page}&pageSize=${pageSize}`,
      key,
    });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`);
    items.push(...(body[list] as ListItem[]));
    if (page >= Number(body['totalPages'])) {
      if (items.length !== Number(body['total']))
        throw new Error(`${path} has ${items.length} items, and says ${body['total']}`);
      return items;
    }
  }
}
