import { ask, graph, type Line } from './ask.ts';
import type { Objects } from './ledger.ts';
import type { AssistantState, FileState } from './library.ts';
import type { Keys } from './load.ts';
import type { CampaignState, LinkState } from './partner.ts';
import type { TeamState, UserState } from './people.ts';

type Row = { id: string };
type User = Row & { email: string; firstName: string; teams: Row[] };
type Assistant = Row & AssistantState & { files: (Row & { originalName: string; hash: string })[] };

const pageSize = 100;

/** All that is there, by whose it is: every name begins with that of its maker. */
export async function observe(line: Line, keys: Keys): Promise<Map<string, Objects>> {
  const found = new Map<string, Objects>();
  const note = (named: string, object: string, state: unknown) => {
    const maker = /^([a-z]+)-\d/.exec(named)?.[1];
    if (maker === undefined) return;
    const objects = found.get(maker) ?? new Map<string, unknown>();
    // The same id twice in a list is a fault that a map would hide.
    objects.set(objects.has(object) ? `${object} again` : object, state);
    found.set(maker, objects);
  };
  const every = <Item>(path: string, list: string) =>
    everyPage<Item>(line, keys.organizationKey, path, list);

  for (const { id, email, firstName, teams } of await every<User>(
    '/api/user-management/v1/users',
    'users',
  )) {
    note(email, `user:${id}`, {
      email,
      firstName,
      teams: teams.map((team) => team.id).toSorted(),
    } satisfies UserState);
  }
  const { teams } = await graph(line, keys.organizationKey, '{ teams { id name memberCount } }');
  for (const { id, name, memberCount } of teams as (Row & TeamState)[])
    note(name, `team:${id}`, { name, memberCount } satisfies TeamState);
  for (const { id, name, durationMonths, isActive } of await every<Row & CampaignState>(
    '/api/sponsorship/v1/campaigns',
    'campaigns',
  )) {
    note(name, `campaign:${id}`, { name, durationMonths, isActive } satisfies CampaignState);
    for (const link of await every<Row & LinkState>(
      `/api/sponsorship/v1/campaigns/${id}/links`,
      'links',
    )) {
      note(link.name, `link:${link.id}`, {
        campaignId: id,
        name: link.name,
        isActive: link.isActive,
      } satisfies LinkState);
    }
  }
  const { assistants } = await graph(
    line,
    keys.userKey,
    '{ assistants { id name instructions files { id originalName hash } } }',
  );
  for (const { id, name, instructions, files } of assistants as Assistant[]) {
    note(name, `assistant:${id}`, { name, instructions } satisfies AssistantState);
    for (const { id: fileId, originalName, hash } of files) {
      note(originalName, `file:${fileId}`, {
        assistantId: id,
        name: originalName,
        hash,
      } satisfies FileState);
    }
  }
  return found;
}

async function everyPage<Item>(
  line: Line,
  key: string,
  path: string,
  list: string,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body, text } = await ask(line, {
      method: 'GET',
      path: `${path}?page=${page}&pageSize=${pageSize}`,
      key,
    });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`);
    items.push(...(body[list] as Item[]));
    if (page >= Number(body['totalPages'])) {
      if (items.length !== Number(body['total']))
        throw new Error(`${path} has ${items.length} items, and says ${body['total']}`);
      return items;
    }
  }
}
