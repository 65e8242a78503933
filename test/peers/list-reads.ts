import type { KeyRow } from './access.ts';
import { HttpError } from './errors.ts';
import type { Query, ResultRow } from './query.ts';

const teamsText = `
  select t.id, t.name, t.is_default as "isDefault", (select count(*)::int from team_memberships m where m.team_id = t.id) as "memberCount"
  from teams t where t.organization_id = $1 order by t.created_at desc, t.id desc`;
const pricing = (of: string) => `case when ${of}.pricing_model is not null
  then json_build_object('model', ${of}.pricing_model, 'amountEur', ${of}.pricing_amount_eur, 'unit', ${of}.pricing_unit) end as pricing`;
const campaignsText = `
  select c.id, c.name, c.duration_months as "durationMonths", c.max_redemptions as "maxRedemptions", c.expires_at as "expiresAt",
    c.included_seats as "includedSeats", c.allowed_email_domains as "allowedEmailDomains", c.allowed_emails as "allowedEmails", ${pricing('c')},
    c.is_active as "isActive", c.created_at as "createdAt", c.updated_at as "updatedAt", c.completed_redemptions as "completedRedemptionsCount",
    (select count(*)::int from reservations r where r.campaign_id = c.id and r.expires_at > now()) as "reservedRedemptionsCount",
    (select count(*)::int from campaigns where organization_id = $1) as total
  from campaigns c where c.organization_id = $1 order by c.created_at desc, c.id desc`;
const linksText = `
  select l.id, l.name, l.token, l.is_active as "isActive", l.password_hash is not null as "hasPassword", l.created_at as "createdAt",
    l.completed_redemptions as "completedRedemptionsCount", (select count(*)::int from links where campaign_id = $1) as total
  from links l where l.campaign_id = $1 order by l.created_at desc, l.id desc`;
const redemptionsText = `
  select r.id, r.redeemed_at as "redeemedAt", r.sponsored_until as "sponsoredUntil", r.extended_until as "extendedUntil",
    r.extension_reason as "extensionReason", r.included_seats as "includedSeats", ${pricing('r')}, r.billing_status as "billingStatus",
    r.billing_amount::float8 as "billingAmount", r.billed_at as "billedAt", r.billing_batch_id as "billingBatchId",
    o.name as "organizationName", u.email as "userEmail", l.name as "linkName", (select count(*)::int from redemptions where campaign_id = $1) as total
  from redemptions r join links l on l.id = r.link_id join users u on u.id = r.user_id join organizations o on o.id = r.sponsored_organization_id
  where r.campaign_id = $1 order by r.redeemed_at desc, r.id desc`;

const sharedWithCaller = `s.organization_id = $1 and (s.user_id = $2 or (s.user_id is null and s.team_id is null)
  or s.team_id in (select team_id from team_memberships where organization_id = $1 and user_id = $2))`;

// Administrators own the assistants that have no owner.
const isOrphaned = `($3 and not exists (select from assistant_shares w where w.assistant_id = a.id and w.level = 'OWNER'))`;

const assistantsText = `
  select a.id, a.name from assistants a
  where a.organization_id = $1 and (exists (select from assistant_shares s where s.assistant_id = a.id and ${sharedWithCaller}) or ${isOrphaned}) order by a.created_at desc, a.id desc`;
const levelText = `
  select a.id, case when ${isOrphaned} then 'OWNER' else
    (select max(s.level) from assistant_shares s where s.assistant_id = a.id and ${sharedWithCaller}) end as level
  from assistants a where a.id = $4 and a.organization_id = $1`;
const fileColumns = `id, original_name as "originalName", mime_type as "mimeType", size, created_at as "createdAt", updated_at as "updatedAt",
  status as "processingStatus", hash`;
const filesText = `select ${fileColumns} from assistant_files where assistant_id = $1 and organization_id = $2 order by created_at desc, id desc`;
const fileText = `
  select ${fileColumns}, derivations, assistant_id as "assistantId", stage as "processingStage", null as "processingError", pages, passages,
    md5(concat_ws('|', id, mime_type, status, stage, error_code, error_message, derivations, pages, passages, updated_at)) as etag
  from assistant_files where id = $3 and assistant_id = $1 and organization_id = $2`;

export type Page = { page: number; pageSize: number };
export type Member = Pick<KeyRow, 'organizationId' | 'userId' | 'isAdmin'>;

/** All other reads of the REST API by hand-written SQL, for every driver. */
export function createListReads(query: Query) {
  /** The number of rows is part of the text, so that the prepared plan takes it into account. */
  const queryPage = (name: string, text: string, ownerId: string, { page, pageSize }: Page) =>
    query(`${name}-${pageSize}`, `${text} limit ${pageSize} offset $2`, [
      ownerId,
      (page - 1) * pageSize,
    ]);

  async function requireCampaign(organizationId: string, campaignId: string): Promise<void> {
    const text = 'select id from campaigns where id = $1 and organization_id = $2';
    const [campaign] = await query('campaign', text, [campaignId, organizationId]);
    if (!campaign) throw new HttpError(404, 'Campaign not found');
  }

  async function requireView(member: Member, assistantId: string): Promise<void> {
    const [assistant] = await query('level', levelText, [...valuesOf(member), assistantId]);
    if (!assistant) throw new HttpError(404, 'Assistant not found');
    if (assistant['level'] === null) throw new HttpError(403, 'You may not view this assistant');
  }

  return {
    async teams(organizationId: string) {
      return { status: 'success', teams: await query('teams', teamsText, [organizationId]) };
    },

    async campaigns(organizationId: string, page: Page) {
      const rows = await queryPage('campaigns', campaignsText, organizationId, page);
      return { status: 'success', campaigns: rows, ...totals(rows, page) };
    },

    async links(organizationId: string, campaignId: string, page: Page, origin: string) {
      const [rows] = await Promise.all([
        queryPage('links', linksText, campaignId, page),
        requireCampaign(organizationId, campaignId),
      ]);
      for (const row of rows) row['url'] = `${origin}/auth?sponsored=${row['token']}`;
      return { status: 'success', links: rows, ...totals(rows, page) };
    },

    async redemptions(organizationId: string, campaignId: string, page: Page) {
      const [rows] = await Promise.all([
        queryPage('redemptions', redemptionsText, campaignId, page),
        requireCampaign(organizationId, campaignId),
      ]);
      return { status: 'success', redemptions: rows, ...totals(rows, page) };
    },

    async assistants(member: Member) {
      return { assistants: await query('assistants', assistantsText, valuesOf(member)) };
    },

    async files(member: Member, assistantId: string) {
      const [files] = await Promise.all([
        query('files', filesText, [assistantId, member.organizationId]),
        requireView(member, assistantId),
      ]);
      return { files, count: files.length, assistantId };
    },

    async file(member: Member, assistantId: string, documentId: string): Promise<FileRow> {
      const [[file]] = await Promise.all([
        query('file', fileText, [assistantId, member.organizationId, documentId]),
        requireView(member, assistantId),
      ]);
      if (!file) throw new HttpError(404, 'File not found');
      return { ...file, etag: `"${String(file['etag']).slice(0, 22)}"` };
    },
  };
}

type FileRow = ResultRow & { etag: string };

const valuesOf = ({ organizationId, userId, isAdmin }: Member) => [organizationId, userId, isAdmin];

const totals = (rows: ResultRow[], { page, pageSize }: Page) => {
  const total = Number(rows[0]?.['total'] ?? 0);
  return { total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
};
