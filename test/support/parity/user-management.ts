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

/** The organization can only change the names that it gave. */
const withoutOwnNames = ({ member }: OrganizationFixture, { database }: ParityApp) =>
  database.prisma.user.update({
    where: { id: member.id },
    data: { firstName: '', lastName: '' },
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
    { call: `GET ${api}/users`, title: 'with a search', input: () => ({ search: 'love' }) },
    {
      call: `GET ${api}/users/:userId`,
      input: ({ member }) => ({ userId: member.id }),
      refusals: [{ code: 'NOT_FOUND', input: () => ({ userId: 'unknown' }) }],
    },
    {
      call: `POST ${api}/users`,
      input: ({ slug }) => ({
        email: `alan@${slug}.example`,
        firstName: 'Alan',
        lastName: 'Turing',
      }),
      refusals: [
        { code: 'CONFLICT', input: ({ slug }) => ({ email: `ada@${slug}.example` }) },
        { code: 'BAD_INPUT', input: () => ({ email: 'alan.example', firstName: 'x'.repeat(500) }) },
      ],
    },
    {
      call: `POST ${api}/users/bulk`,
      input: ({ slug }) => ({
        users: [
          { email: `new@${slug}.example`, firstName: 'New' },
          { email: `ada@${slug}.example` },
        ],
      }),
      refusals: [
        {
          code: 'CONFLICT',
          input: ({ slug }) => ({ users: [{ email: `ada@${slug}.example` }], atomic: true }),
        },
      ],
    },
    {
      call: `POST ${api}/users/bulk`,
      title: 'all or none',
      input: ({ slug }) => ({ users: [{ email: `new@${slug}.example` }], atomic: true }),
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
      call: `PATCH ${api}/users/:userId`,
      prepare: withoutOwnNames,
      input: ({ member }) => ({ userId: member.id, firstName: 'Mem', lastName: 'Bership' }),
      refusals: [
        { code: 'NOT_FOUND', input: () => ({ userId: 'unknown', firstName: 'Mem' }) },
        { code: 'FORBIDDEN', prepare: async () => undefined },
        {
          code: 'BAD_INPUT',
          input: ({ member }) => ({ userId: member.id, firstName: 'x'.repeat(500), role: 'OWNER' }),
        },
      ],
    },
    {
      call: `PATCH ${api}/users/:userId`,
      title: 'with a role',
      input: ({ member }) => ({ userId: member.id, role: 'ADMIN' }),
      refusals: [
        {
          code: 'FORBIDDEN',
          input: ({ administratorId }) => ({ userId: administratorId, role: 'MEMBER' }),
        },
      ],
    },
    {
      call: `PATCH ${api}/users/:userId`,
      title: 'without a change',
      input: ({ member }) => ({ userId: member.id }),
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
      input: () => ({ name: 'Engineering' }),
      refusals: [{ code: 'CONFLICT', input: () => ({ name: 'RESEARCH' }) }],
    },
    {
      call: `GET ${api}/teams/:teamId`,
      input: ({ teamId }) => ({ teamId }),
      refusals: [{ code: 'NOT_FOUND', input: () => ({ teamId: 'unknown' }) }],
    },
    {
      call: `PATCH ${api}/teams/:teamId`,
      input: ({ teamId }) => ({ teamId, name: 'Equality' }),
      refusals: [
        { code: 'NOT_FOUND', input: () => ({ teamId: 'unknown', name: 'Equality' }) },
        {
          code: 'CONFLICT',
          input: ({ defaultTeamId }) => ({ teamId: defaultTeamId, name: 'RESEARCH' }),
        },
      ],
    },
    {
      call: `PATCH ${api}/teams/:teamId`,
      title: 'without a change',
      input: ({ teamId }) => ({ teamId }),
    },
    {
      call: `GET ${api}/teams/:teamId/users`,
      prepare: inTeam,
      input: ({ teamId }) => ({ teamId, page: 1, pageSize: 10 }),
      refusals: [
        { code: 'NOT_FOUND', input: () => ({ teamId: 'unknown' }) },
        { code: 'BAD_INPUT', input: ({ teamId }) => ({ teamId, pageSize: 0 }) },
      ],
    },
    {
      call: `GET ${api}/teams/:teamId/users`,
      title: 'by a text',
      prepare: inTeam,
      input: ({ teamId }) => ({ teamId, search: 'love' }),
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
