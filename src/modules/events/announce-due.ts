import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ApiKeyKind, NotificationKind } from '../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import type { Log } from '../../platform/log.ts';
import { type RepeatedWork, repeatEvery } from '../../platform/repeat.ts';
import { notificationStatement } from '../notifications/notify.ts';

type AnnounceDependencies = { database: Database; clock: Clock };

export const keyDays = 14;
export const redemptionDays = 30;
const dayMs = 86_400_000;
// What has become due while no process was running for longer than this is not announced.
const lateDays = 7;
const entriesMax = 1_000;
const announceEveryMs = 60_000;

/** What becomes due at a time: rows with the columns organization_id, id, due and changes. */
type Announcement = {
  action: string;
  targetType: string;
  due: Fragment;
  /** The notifications about the objects with these ids. */
  notifications?: (ids: readonly string[]) => { kind: NotificationKind; recipients: Fragment }[];
};

/**
 * Writes the events that no request causes: keys that expire soon, and sponsorships that end soon or
 * have ended. Each is announced once for each date, because the entry of the audit log names the
 * date. People are told of them in
 * the same transaction. Returns how many entries were written.
 */
export async function announceDue({ database, clock }: AnnounceDependencies): Promise<number> {
  const at = clock();
  const after = (days: number) => new Date(at.getTime() + days * dayMs);
  const redemptions = (from: Date, until: Date) => fragment`
    select r.organization_id, r.id, r.sponsored_until as due,
      jsonb_build_object('campaignId', r.campaign_id, 'sponsoredOrganizationId', r.sponsored_organization_id) as changes
    from redemptions r where r.sponsored_until > ${from} and r.sponsored_until <= ${until}`;
  const announcements: Announcement[] = [
    {
      ...{ action: 'announce-key-expiry', targetType: 'ApiKey' },
      due: fragment`
        select k.organization_id, k.id, k.expires_at as due, jsonb_strip_nulls(jsonb_build_object('userId', k.user_id)) as changes
        from api_keys k where k.revoked_at is null and k.expires_at > ${at} and k.expires_at <= ${after(keyDays)}`,
      notifications: aboutKeys,
    },
    {
      ...{ action: 'announce-redemption-end', targetType: 'Redemption' },
      due: redemptions(at, after(redemptionDays)),
      notifications: aboutRedemptions,
    },
    {
      ...{ action: 'end-redemption', targetType: 'Redemption' },
      due: redemptions(after(-lateDays), at),
    },
  ];
  // Keys and redemptions of all organizations.
  return database.unscoped.transact(async (tx) => {
    // The next statement sees what the holder before has committed, so nothing is announced twice.
    const [lock] = await tx.sql<{ isLocked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('announcements of events', 0)) as "isLocked"`;
    let written = 0;
    if (lock?.isLocked)
      for (const announcement of announcements) {
        const rows = await tx.sql<{ targetId: string }>`${statementOf(announcement, at)}`;
        const ids = rows.map(({ targetId }) => targetId);
        written += ids.length;
        for (const notification of ids.length > 0 ? (announcement.notifications?.(ids) ?? []) : [])
          tx.enqueue`${notificationStatement({ ...notification, at })}`;
      }
    return written;
  });
}

const statementOf = ({ action, targetType, due }: Announcement, at: Date): Fragment => fragment`
  insert into audit_entries (id, organization_id, at, actor_kind, action, target_type, target_id, changes)
  select new_id(), d.organization_id, ${at}::timestamptz, 'SYSTEM', ${action}, ${targetType}, d.id,
    d.changes || jsonb_build_object('due', to_char(d.due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from (${due}) d
  where not exists (
    select from audit_entries e
    where e.organization_id = d.organization_id and e.target_id = d.id and e.action = ${action}
      and (e.changes ->> 'due')::timestamptz = d.due)
  order by d.due, d.id limit ${entriesMax}::int
  returning target_id as "targetId"`;

/** The owner of a user key, and the administrator responsible for an organization key. */
function aboutKeys(ids: readonly string[]) {
  const keys = (person: Fragment, kind: ApiKeyKind) => fragment`
    select k.organization_id, ${person} as user_id, k.id as subject_id, null::text as assistant_id, null::text as conversation_id
    from api_keys k where k.id = any(${ids}) and k.kind = ${kind}::api_key_kind`;
  return [
    { kind: 'KEY_EXPIRES' as const, recipients: keys(fragment`k.user_id`, 'USER') },
    {
      kind: 'ORGANIZATION_KEY_EXPIRES' as const,
      recipients: keys(fragment`k.responsible_id`, 'ORGANIZATION'),
    },
  ];
}

/** The administrators of the partner. */
const aboutRedemptions = (ids: readonly string[]) => [
  {
    kind: 'REDEMPTION_ENDS' as const,
    recipients: fragment`
      select r.organization_id, m.user_id, r.id as subject_id, null::text as assistant_id, null::text as conversation_id
      from redemptions r join memberships m on m.organization_id = r.organization_id and m.role = 'ADMIN' where r.id = any(${ids})`,
  },
];

/** Writes such events every minute. Any number of processes can do so at the same time. */
export const scheduleAnnouncements = ({
  log,
  ...dependencies
}: AnnounceDependencies & { log: Log }): RepeatedWork =>
  repeatEvery(() => announceDue(dependencies), {
    firstInMs: announceEveryMs,
    everyMs: announceEveryMs,
    failed: (err) => log.warn({ err }, 'Events about dates could not be written yet'),
  });
