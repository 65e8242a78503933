import type { OrganizationFixture, ParityApp } from './fixtures.ts';
import { samplesOn } from './samples.ts';

const api = '/api/user-management/v1';

const withoutFeatures = (fixture: OrganizationFixture, app: ParityApp) =>
  app.withoutFeatures(fixture);
const inTeam = (
  { id: organizationId, teamId, member }: OrganizationFixture,
  { database }: ParityApp,
) =>
  database.prisma.teamMembership.create({
    data: { teamId, userId: member.id, organizationId },
  });

export const userManagementSamples = samplesOn(
  ({ organization }) => organization(),
  [
    {
      call: `GET ${api}/users`,
      input: () => ({ page: 1, pageSize: 10 }),
      refusals: [
        { code: 'BAD_INPUT', input: () => ({ page: 0, pageSize: 101 }) },
        { code: 'FEATURE_DISABLED', prepare: withoutFeatures },
      ],
    },
    { call: `GET ${api}/users`, title: 'with a search', input: () => ({ search: 'mem' }) },
    {
      call: `GET ${api}/users/:userId`,
      input: ({ member }) => ({ userId: member.id }),
      refusals: [{ code: 'NOT_FOUND', input: () => ({ userId: 'unknown' }) }],
    },
    {
      call: `POST ${api}/users`,
      input: ({ slug }) => ({ email: `new@${slug}.example`, firstName: 'New' }),
      refusals: [
        { code: 'CONFLICT', input: ({ slug }) => ({ email: `member@${slug}.example` }) },
        { code: 'BAD_INPUT', input: () => ({ email: 'none', firstName: 'x'.repeat(500) }) },
      ],
    },
    {
      call: `POST ${api}/users/add`,
      prepare: ({ slug }, { database, contextParts }) =>
        database.prisma.user.create({
          data: {
            id: `add-${slug}`,
            email: `add@${slug}.example`,
            createdAt: contextParts.clock(),
          },
        }),
      input: ({ slug }) => ({ email: `add@${slug}.example` }),
      refusals: [{ code: 'NOT_FOUND', input: ({ slug }) => ({ email: `nobody@${slug}.example` }) }],
    },
    {
      call: `DELETE ${api}/users/:userId`,
      input: ({ member }) => ({ userId: member.id }),
      refusals: [
        { code: 'FORBIDDEN', input: ({ administratorId }) => ({ userId: administratorId }) },
      ],
    },
    {
      call: `GET ${api}/teams`,
      input: () => ({}),
      refusals: [{ code: 'FEATURE_DISABLED', prepare: withoutFeatures }],
    },
    {
      call: `POST ${api}/teams`,
      input: () => ({ name: 'Another' }),
      refusals: [{ code: 'CONFLICT', input: () => ({ name: 'PARITY' }) }],
    },
    {
      call: `DELETE ${api}/teams/:teamId`,
      input: ({ teamId }) => ({ teamId }),
      refusals: [{ code: 'FORBIDDEN', input: ({ defaultTeamId }) => ({ teamId: defaultTeamId }) }],
    },
    {
      call: `POST ${api}/teams/:teamId/users`,
      input: ({ teamId, member }) => ({ teamId, userId: member.id }),
      refusals: [{ code: 'CONFLICT', prepare: inTeam }],
    },
    {
      call: `DELETE ${api}/teams/:teamId/users/:userId`,
      prepare: inTeam,
      input: ({ teamId, member }) => ({ teamId, userId: member.id }),
      refusals: [{ code: 'NOT_FOUND', input: ({ teamId }) => ({ teamId, userId: 'unknown' }) }],
    },
  ],
);
