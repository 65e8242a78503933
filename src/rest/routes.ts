import type { Viewer } from '../graph/context.ts';
import type { ErrorCode } from '../platform/errors.ts';

/** A part of the API: what all its calls have in common, and its calls. */
export type Area = {
  prefix: string;
  name: string;
  description: string;
  /** The only kind of key that opens these calls. */
  key: Exclude<Viewer['kind'], 'SESSION'>;
  /** Fields that every success of the area carries. */
  envelope: Readonly<Record<string, string>>;
  rows: readonly Row[];
};

/** What a rule refuses, and when: for OpenAPI, which computes all other refusals of a call by itself. */
type Refusals = Readonly<Partial<Record<ErrorCode, string>>>;

/** A call: `METHOD /path`, the file under schema/operations that it runs, and what its rule refuses. */
export type Row = { method: string; path: string; operation: string; refusals: Refusals };

const route = (call: string, operation: string, refusals: Refusals = {}): Row => {
  const [method = '', path = ''] = call.split(' ');
  return { method, path, operation, refusals };
};

const alreadyMember = 'the person is already a member of the organization';
const noFreeSeat = 'the organization has no free seat';

export const areas: readonly Area[] = [
  {
    prefix: '/api/sponsorship/v1',
    name: 'Partner Sponsorship',
    description: 'Campaigns, their links, and what was redeemed. Redeeming itself happens only in the product.',
    key: 'ORGANIZATION_KEY',
    envelope: { status: 'success' },
    rows: [
      route('GET /campaigns', 'sponsorship/list-campaigns'),
      route('POST /campaigns', 'sponsorship/create-campaign'),
      route('PATCH /campaigns/:campaignId', 'sponsorship/update-campaign'),
      route('GET /campaigns/:campaignId/links', 'sponsorship/list-links'),
      route('POST /campaigns/:campaignId/links', 'sponsorship/create-link'),
      route('PATCH /links/:linkId', 'sponsorship/update-link'),
      route('PATCH /links/:linkId/password', 'sponsorship/set-link-password'),
      route('GET /campaigns/:campaignId/redemptions', 'sponsorship/list-redemptions'),
      route('PATCH /redemptions/:redemptionId/extend', 'sponsorship/extend-redemption', {
        BAD_INPUT: 'invalid input, or newSponsoredUntil is not later than the current end of the sponsorship',
      }),
      route('PATCH /redemptions/:redemptionId/billing', 'sponsorship/set-redemption-billing'),
    ],
  },
  {
    prefix: '/api/user-management/v1',
    name: 'User Management',
    description: 'Users and teams of the organization that the key belongs to.',
    key: 'ORGANIZATION_KEY',
    envelope: { status: 'success' },
    rows: [
      route('GET /users', 'user-management/list-users'),
      route('POST /users', 'user-management/create-user', { CONFLICT: alreadyMember, SEAT_LIMIT_REACHED: noFreeSeat }),
      route('POST /users/add', 'user-management/add-user', {
        NOT_FOUND: 'nobody has an account with this e-mail address',
        CONFLICT: alreadyMember,
        SEAT_LIMIT_REACHED: noFreeSeat,
      }),
      route('GET /users/:userId', 'user-management/get-user'),
      route('DELETE /users/:userId', 'user-management/remove-user', { FORBIDDEN: 'the user is an administrator' }),
      route('GET /teams', 'user-management/list-teams'),
      route('POST /teams', 'user-management/create-team', { CONFLICT: 'a team of this name exists' }),
      route('DELETE /teams/:teamId', 'user-management/delete-team', { FORBIDDEN: 'the team is the default team' }),
      route('POST /teams/:teamId/users', 'user-management/add-team-user', { CONFLICT: 'the user is already in the team' }),
      route('DELETE /teams/:teamId/users/:userId', 'user-management/remove-team-user'),
    ],
  },
];
