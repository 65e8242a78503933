import type { FastifyRequest } from 'fastify';
import { createPeer, listen } from './create-peer.ts';
import { guard, HttpError } from './guard.ts';
import { findKey, pool } from './pool.ts';
import {
  assistantsAnswer,
  campaignsAnswer,
  fileAnswer,
  filesAnswer,
  linksAnswer,
  pageQuery,
  redemptionsAnswer,
  teamsAnswer,
} from './schemas.ts';

// All other reads of the REST API, hand-written with Fastify and prepared statements.
const app = createPeer();

type ResultRow = Record<string, unknown>;
const queryRows = async (name: string, text: string, values: unknown[]): Promise<ResultRow[]> =>
  (await pool.query<ResultRow>({ name, text, values })).rows;

type ListQuery = { page: string; pageSize?: string };
/** The number of rows is part of the text, so that the prepared plan takes it into account. */
async function queryPage(
  name: string,
  text: string,
  ownerId: string,
  query: ListQuery,
  defaultPageSize: number,
) {
  const [page, pageSize] = [Number(query.page), Number(query.pageSize ?? defaultPageSize)];
  const rows = await queryRows(`${name}-${pageSize}`, `${text} limit ${pageSize} offset $2`, [
    ownerId,
    (page - 1) * pageSize,
  ]);
  return { rows, page, pageSize };
}

const organizationKey = (feature: string, name: string) =>
  guard(findKey, { kind: 'ORGANIZATION', feature, name });

app.register(async (users) => {
  users.addHook('onRequest', organizationKey('userManagement', 'The User Management API'));
  const teamsText = `
    select t.id, t.name, t.is_default as "isDefault", (select count(*)::int from team_memberships m where m.team_id = t.id) as "memberCount"
    from teams t where t.organization_id = $1 order by t.created_at desc, t.id desc`;
  users.get(
    '/api/user-management/v1/teams',
    { schema: { response: { 200: teamsAnswer } } },
    async ({ organizationId }) => ({
      status: 'success',
      teams: await queryRows('teams', teamsText, [organizationId]),
    }),
  );
});

app.register(async (partners) => {
  partners.addHook('onRequest', organizationKey('partnerSponsorship', 'Partner Sponsorship'));
  const pricing = (of: string) => `case when ${of}.pricing_model is not null
    then json_build_object('model', ${of}.pricing_model, 'amountEur', ${of}.pricing_amount_eur, 'unit', ${of}.pricing_unit) end as pricing`;
  const campaignsText = `
    select c.id, c.name, c.duration_months as "durationMonths", c.max_redemptions as "maxRedemptions", c.expires_at as "expiresAt",
      c.included_seats as "includedSeats", c.allowed_email_domains as "allowedEmailDomains", c.allowed_emails as "allowedEmails", ${pricing('c')},
      c.is_active as "isActive", c.created_at as "createdAt", c.updated_at as "updatedAt", c.completed_redemptions as "completedRedemptionsCount",
      (select count(*)::int from reservations r where r.campaign_id = c.id and r.expires_at > now()) as "reservedRedemptionsCount",
      (select count(*)::int from campaigns where organization_id = $1) as total
    from campaigns c where c.organization_id = $1 order by c.created_at desc, c.id desc`;
  type CampaignRequest = { Querystring: ListQuery; Params: { campaignId: string } };
  partners.get<CampaignRequest>(
    '/api/sponsorship/v1/campaigns',
    { schema: { querystring: pageQuery(50), response: { 200: campaignsAnswer } } },
    async ({ organizationId, query }) => {
      const { rows, page, pageSize } = await queryPage(
        'campaigns',
        campaignsText,
        organizationId,
        query,
        50,
      );
      return { status: 'success', campaigns: rows, ...totals(rows, page, pageSize) };
    },
  );

  async function requireCampaign(organizationId: string, campaignId: string): Promise<void> {
    const [campaign] = await queryRows(
      'campaign',
      'select id from campaigns where id = $1 and organization_id = $2',
      [campaignId, organizationId],
    );
    if (!campaign) throw new HttpError(404, 'Campaign not found');
  }
  const linksText = `
    select l.id, l.name, l.token, l.is_active as "isActive", l.password_hash is not null as "hasPassword", l.created_at as "createdAt",
      l.completed_redemptions as "completedRedemptionsCount", (select count(*)::int from links where campaign_id = $1) as total
    from links l where l.campaign_id = $1 order by l.created_at desc, l.id desc`;
  partners.get<CampaignRequest>(
    '/api/sponsorship/v1/campaigns/:campaignId/links',
    { schema: { querystring: pageQuery(100), response: { 200: linksAnswer } } },
    async ({ organizationId, params: { campaignId }, query, host }) => {
      await requireCampaign(organizationId, campaignId);
      const { rows, page, pageSize } = await queryPage('links', linksText, campaignId, query, 100);
      for (const row of rows) row['url'] = `http://${host}/auth?sponsored=${row['token']}`;
      return { status: 'success', links: rows, ...totals(rows, page, pageSize) };
    },
  );
  const redemptionsText = `
    select r.id, r.redeemed_at as "redeemedAt", r.sponsored_until as "sponsoredUntil", r.extended_until as "extendedUntil",
      r.extension_reason as "extensionReason", r.included_seats as "includedSeats", ${pricing('r')}, r.billing_status as "billingStatus",
      r.billing_amount::float8 as "billingAmount", r.billed_at as "billedAt", r.billing_batch_id as "billingBatchId",
      o.name as "organizationName", u.email as "userEmail", l.name as "linkName", (select count(*)::int from redemptions where campaign_id = $1) as total
    from redemptions r join links l on l.id = r.link_id join users u on u.id = r.user_id join organizations o on o.id = r.sponsored_organization_id
    where r.campaign_id = $1 order by r.redeemed_at desc, r.id desc`;
  partners.get<CampaignRequest>(
    '/api/sponsorship/v1/campaigns/:campaignId/redemptions',
    { schema: { querystring: pageQuery(100), response: { 200: redemptionsAnswer } } },
    async ({ organizationId, params: { campaignId }, query }) => {
      await requireCampaign(organizationId, campaignId);
      const { rows, page, pageSize } = await queryPage(
        'redemptions',
        redemptionsText,
        campaignId,
        query,
        100,
      );
      return { status: 'success', redemptions: rows, ...totals(rows, page, pageSize) };
    },
  );
});

const totals = (rows: ResultRow[], page: number, pageSize: number) => {
  const total = Number(rows[0]?.['total'] ?? 0);
  return { total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
};

const sharedWithCaller = `s.organization_id = $1 and (s.user_id = $2 or (s.user_id is null and s.team_id is null)
  or s.team_id in (select team_id from team_memberships where organization_id = $1 and user_id = $2))`;

// Administrators own the assistants that have no owner.
const isOrphaned = `($3 and not exists (select from assistant_shares w where w.assistant_id = a.id and w.level = 'OWNER'))`;

app.register(async (people) => {
  people.addHook('onRequest', guard(findKey, { kind: 'USER', name: 'Assistants' }));
  const text = `
    select a.id, a.name from assistants a
    where a.organization_id = $1 and (exists (select from assistant_shares s where s.assistant_id = a.id and ${sharedWithCaller}) or ${isOrphaned}) order by a.created_at desc, a.id desc`;
  people.get(
    '/api/assistants/v1/',
    { schema: { response: { 200: assistantsAnswer } } },
    async ({ organizationId, userId, isAdmin }) => ({
      assistants: await queryRows('assistants', text, [organizationId, userId, isAdmin]),
    }),
  );
});

app.register(async (people) => {
  people.addHook(
    'onRequest',
    guard(findKey, { kind: 'USER', feature: 'assistantFiles', name: 'Assistant Files' }),
  );
  const levelText = `
    select a.id, case when ${isOrphaned} then 'OWNER' else
      (select max(s.level) from assistant_shares s where s.assistant_id = a.id and ${sharedWithCaller}) end as level
    from assistants a where a.id = $4 and a.organization_id = $1`;
  async function requireView(
    { organizationId, userId, isAdmin }: FastifyRequest,
    assistantId: string,
  ): Promise<void> {
    const [assistant] = await queryRows('level', levelText, [
      organizationId,
      userId,
      isAdmin,
      assistantId,
    ]);
    if (!assistant) throw new HttpError(404, 'Assistant not found');
    if (assistant['level'] === null) throw new HttpError(403, 'You may not view this assistant');
  }
  const columns = `id, original_name as "originalName", mime_type as "mimeType", size, created_at as "createdAt", updated_at as "updatedAt",
    status as "processingStatus", hash`;
  const filesText = `select ${columns} from assistant_files where assistant_id = $1 and organization_id = $2 order by created_at desc, id desc`;
  type FileRequest = { Params: { assistantId: string; documentId: string } };
  const files = '/api/assistant-files/v1/assistants/:assistantId/files';
  people.get<FileRequest>(
    files,
    { schema: { response: { 200: filesAnswer } } },
    async (request) => {
      const {
        organizationId,
        params: { assistantId },
      } = request;
      await requireView(request, assistantId);
      const fileRows = await queryRows('files', filesText, [assistantId, organizationId]);
      return { files: fileRows, count: fileRows.length, assistantId };
    },
  );
  const fileText = `
    select ${columns}, derivations, assistant_id as "assistantId", stage as "processingStage", null as "processingError", pages, passages,
      md5(concat_ws('|', id, mime_type, status, stage, error_code, error_message, derivations, pages, passages, updated_at)) as etag
    from assistant_files where id = $3 and assistant_id = $1 and organization_id = $2`;
  people.get<FileRequest>(
    `${files}/:documentId`,
    { schema: { response: { 200: fileAnswer } } },
    async (request, reply) => {
      const { organizationId, params } = request;
      await requireView(request, params.assistantId);
      const [file] = await queryRows('file', fileText, [
        params.assistantId,
        organizationId,
        params.documentId,
      ]);
      if (!file) throw new HttpError(404, 'File not found');
      file['etag'] = `"${String(file['etag']).slice(0, 22)}"`;
      reply.header('ETag', String(file['etag']));
      return file;
    },
  );
});

await listen(app);
