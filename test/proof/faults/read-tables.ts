import { findWrongCounters } from '../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import type { Database } from '../../../src/platform/database/database.ts';

// The audited actions of the mixed load.
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

/** Faults and audit entries that only the tables show, not the API. */
export type TableContents = {
  wrongCounters: string[];
  incompleteRows: string[];
  auditEntries: Map<string, number>;
};

export async function readTables(database: Database): Promise<TableContents> {
  const wrong = await findWrongCounters({ database });
  const auditEntries = await database.sql<{ entry: string; count: number }>`
    select action || ' ' || target_id as entry, count(*)::int as count from audit_entries
    where action = any(${actions}) and actor_kind <> 'SYSTEM' group by 1`;
  const incomplete = await database.sql<{ fault: string }>`
    select 'account without a membership or an audit entry: ' || u.email as fault from users u
    where u.email like '%@load.example' and not exists (select from audit_entries a where a.target_id = u.id and a.action = 'create-user')
    union all select 'member without the default team: ' || m.user_id from memberships m
    where not exists (select from team_memberships t join teams d on d.id = t.team_id and d.is_default where t.organization_id = m.organization_id and t.user_id = m.user_id)
    union all select 'assistant without an owner: ' || a.id from assistants a
    where not exists (select from assistant_shares s where s.assistant_id = a.id and s.level = 'OWNER')`;
  return {
    wrongCounters: wrong.map(
      ({ counter, owner, stored, counted }) =>
        `${counter} of ${owner}: stored ${stored}, counted ${counted}`,
    ),
    incompleteRows: incomplete.map(({ fault }) => fault),
    auditEntries: new Map(auditEntries.map(({ entry, count }) => [entry, count])),
  };
}

/** The actions that are missing in the audit log or recorded too often. */
export function auditDifferences(
  expectedCounts: ReadonlyMap<string, number>,
  recordedCounts: ReadonlyMap<string, number>,
): string[] {
  return [...new Set([...expectedCounts.keys(), ...recordedCounts.keys()])].flatMap((entry) => {
    const [expected, recorded] = [expectedCounts.get(entry) ?? 0, recordedCounts.get(entry) ?? 0];
    return expected === recorded
      ? []
      : [`${entry}: done ${expected} times, recorded ${recorded} times`];
  });
}
