import { createPeer, listen } from './create-peer.ts';
import { guard } from './guard.ts';
import { createListReads } from './list-reads.ts';
import { findKey, query } from './pool.ts';
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
const reads = createListReads(query);

// Fastify has validated them and has set the defaults.
type PageQuery = { page: string; pageSize: string };
const pageOf = ({ page, pageSize }: PageQuery) => ({
  page: Number(page),
  pageSize: Number(pageSize),
});

const organizationKey = (feature: string, name: string) =>
  guard(findKey, { kind: 'ORGANIZATION', feature, name });

app.register(async (users) => {
  users.addHook('onRequest', organizationKey('userManagement', 'The User Management API'));
  users.get(
    '/api/user-management/v1/teams',
    { schema: { response: { 200: teamsAnswer } } },
    ({ organizationId }) => reads.teams(organizationId),
  );
});

app.register(async (partners) => {
  partners.addHook('onRequest', organizationKey('partnerSponsorship', 'Partner Sponsorship'));
  type CampaignRequest = { Querystring: PageQuery; Params: { campaignId: string } };
  const campaigns = '/api/sponsorship/v1/campaigns';
  partners.get<CampaignRequest>(
    campaigns,
    { schema: { querystring: pageQuery(50), response: { 200: campaignsAnswer } } },
    ({ organizationId, query }) => reads.campaigns(organizationId, pageOf(query)),
  );
  partners.get<CampaignRequest>(
    `${campaigns}/:campaignId/links`,
    { schema: { querystring: pageQuery(100), response: { 200: linksAnswer } } },
    ({ organizationId, params, query, host }) =>
      reads.links(organizationId, params.campaignId, pageOf(query), `http://${host}`),
  );
  partners.get<CampaignRequest>(
    `${campaigns}/:campaignId/redemptions`,
    { schema: { querystring: pageQuery(100), response: { 200: redemptionsAnswer } } },
    ({ organizationId, params, query }) =>
      reads.redemptions(organizationId, params.campaignId, pageOf(query)),
  );
});

app.register(async (people) => {
  people.addHook('onRequest', guard(findKey, { kind: 'USER', name: 'Assistants' }));
  people.get(
    '/api/assistants/v1/',
    { schema: { response: { 200: assistantsAnswer } } },
    (request) => reads.assistants(request),
  );
});

app.register(async (people) => {
  people.addHook(
    'onRequest',
    guard(findKey, { kind: 'USER', feature: 'assistantFiles', name: 'Assistant Files' }),
  );
  type FileRequest = { Params: { assistantId: string; documentId: string } };
  const files = '/api/assistant-files/v1/assistants/:assistantId/files';
  people.get<FileRequest>(files, { schema: { response: { 200: filesAnswer } } }, (request) =>
    reads.files(request, request.params.assistantId),
  );
  people.get<FileRequest>(
    `${files}/:documentId`,
    { schema: { response: { 200: fileAnswer } } },
    async (request, reply) => {
      const { assistantId, documentId } = request.params;
      const file = await reads.file(request, assistantId, documentId);
      reply.header('ETag', file.etag);
      return file;
    },
  );
});

await listen(app);
