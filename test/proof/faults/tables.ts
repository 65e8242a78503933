import { findWrongCounters } from '../../../src/modules/sponsorship/find-wrong-counters.ts';
import type { Database } from '../../../src/platform/database/database.ts';

// What the people of the mixed load do.
const actions = [
  ...[
    'create-user',
    'remove-user',
    'create-team',
    'delete-team',
    'add-team-user',
    'remove-team-user',
    'create-campaign',
    'update-campaign',
    'create-link',
  ],
  ...[
    'update-link',
    'create-assistant',
    'update-assistant',
    'delete-assistant',
    'upload-file',
    'replace-file',
    'delete-file',
  ],
];

/** What the tables hold besides what the API shows. */
export type Tables = { wrongCounters: string[]; halves: string[]; told: Map<string, number> };

export async function readTables(database: Database): Promise<Tables> {
  const wrong = await findWrongCounters({ database });
  const told = await database.sql<{ entry: string; count: number }>`
    select action || ' ' || target_id as entry, count(*)::int as count from audit_entries
    where action = any(${actions}) and actor_kind <> 'SYSTEM' group by 1`;
  const halves = await database.sql<{ half: string }>`
    select 'account without a membership or an audit entry: ' || u.email as half from users u
    where u.email like '%@load.example' and not exists (select from audit_entries a where a.target_id = u.id and a.action = 'create-user')
    union all select 'member without the default team: ' || m.user_id from memberships m
    where not exists (select from team_memberships t join teams d on d.id = t.team_id and d.is_default where t.organization_id = m.organization_id and t.user_id = m.user_id)
    union all select 'assistant without an owner: ' || a.id from assistants a
    where not exists (select from assistant_shares s where s.assistant_id = a.id and s.level = 'OWNER')`;
  return {
    wrongCounters: wrong.map(
      ({ counter, owner, stored, counted }) =>
        `${counter} of ${owner}: kept ${stored}, counted ${counted}`,
    ),
    halves: halves.map(({ half }) => half),
    told: new Map(told.map(({ entry, count }) => [entry, count])),
  };
}

/** Where the audit log tells what nobody did, or does not tell what somebody did. */
export function disagreements(
  must: ReadonlyMap<string, number>,
  tells: ReadonlyMap<string, number>,
): string[] {
  return [...new Set([...must.keys(), ...tells.keys()])].flatMap((entry) => {
    const [expected, found] = [must.get(entry) ?? 0, tells.get(entry) ?? 0];
    return expected === found ? [] : [`${entry}: done ${expected} times, told ${found} times`];
  });
}
