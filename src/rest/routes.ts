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

/**
 * What a rule refuses, and when: for OpenAPI, which computes all other refusals of a call by
 * itself.
 */
type Refusals = Readonly<Partial<Record<ErrorCode, string>>>;

/**
 * A call: `METHOD /path`, the file under schema/operations that it runs, and what its rule refuses.
 * Where a body can be large, `check` is run before it is read; `stream` is the subscription that
 * answers who accepts an event stream.
 */
export type Row = {
  method: string;
  path: string;
  operation: string;
  refusals: Refusals;
  check?: string;
  stream?: string;
};

const route = (
  call: string,
  operation: string,
  refusals: Refusals = {},
  more: Pick<Row, 'check' | 'stream'> = {},
): Row => {
  const [method = '', path = ''] = call.split(' ');
  return { method, path, operation, refusals, ...more };
};

const alreadyMember = 'the person is already a member of the organization';
const noFreeSeat = 'the organization has no free seat';

const notAvailable =
  'the assistant is unknown or not shared with the key’s owner, or the sponsorship of the organization has ended';
const mayNotView = 'the key’s owner may not view the assistant';
const mayNotChange = 'the key’s owner may not change the assistant';
const quotas = {
  QUOTA_EXCEEDED: 'the file exceeds the quota of the organization’s files or bytes',
  CONCURRENCY_LIMIT_REACHED: 'the organization has as many uploads at the same time as it may have',
};
const noFile = 'the body is no multipart form with one part named file, or the file is empty';

export const areas: readonly Area[] = [
  {
    prefix: '/api/assistants/v1',
    name: 'Assistants',
    description: 'The assistants that the owner of the key may use.',
    key: 'USER_KEY',
    envelope: {},
    rows: [
      route('GET /', 'assistants/list-assistants'),
      route(
        'POST /:assistantId/run',
        'assistants/run-assistant',
        {
          FORBIDDEN: notAvailable,
          BAD_INPUT: 'invalid messages, or a file that cannot be read',
          CONCURRENCY_LIMIT_REACHED:
            'the organization has as many runs at the same time as it may have',
          PROVIDER_FAILED: 'the model provider failed',
          PROVIDER_LATE: 'the model provider did not answer in time',
        },
        { check: 'assistants/check-run', stream: 'assistants/assistant-run' },
      ),
    ],
  },
  {
    prefix: '/api/assistant-files/v1',
    name: 'Assistant Files',
    description:
      'The files of an assistant’s knowledge base. To read them takes VIEW on the assistant, to change them EDIT.',
    key: 'USER_KEY',
    envelope: {},
    rows: [
      route('GET /assistants/:assistantId/files', 'assistant-files/list-assistant-files', {
        FORBIDDEN: mayNotView,
      }),
      route('POST /assistants/:assistantId/files', 'assistant-files/upload-assistant-file', {
        FORBIDDEN: mayNotChange,
        BAD_INPUT: noFile,
        ...quotas,
      }),
      route(
        'GET /assistants/:assistantId/files/:documentId',
        'assistant-files/get-assistant-file',
        { FORBIDDEN: mayNotView },
      ),
      route(
        'GET /assistants/:assistantId/files/:documentId/content',
        'assistant-files/get-assistant-file-content',
        { FORBIDDEN: mayNotView },
      ),
      route(
        'PUT /assistants/:assistantId/files/:documentId',
        'assistant-files/replace-assistant-file',
        {
          FORBIDDEN: mayNotChange,
          BAD_INPUT: noFile,
          ...quotas,
        },
      ),
      route(
        'DELETE /assistants/:assistantId/files/:documentId',
        'assistant-files/delete-assistant-file',
        { FORBIDDEN: mayNotChange },
      ),
    ],
  },
  {
    prefix: '/api/sponsorship/v1',
    name: 'Partner Sponsorship',
    description:
      'Campaigns, their links, and what was redeemed. Redeeming itself happens only in the product.',
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
        BAD_INPUT:
          'invalid input, or newSponsoredUntil is not later than the current end of the sponsorship',
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
      route('POST /users', 'user-management/create-user', {
        CONFLICT: alreadyMember,
        SEAT_LIMIT_REACHED: noFreeSeat,
      }),
      route('POST /users/add', 'user-management/add-user', {
        NOT_FOUND: 'nobody has an account with this e-mail address',
        CONFLICT: alreadyMember,
        SEAT_LIMIT_REACHED: noFreeSeat,
      }),
      route('GET /users/:userId', 'user-management/get-user'),
      route('DELETE /users/:userId', 'user-management/remove-user', {
        FORBIDDEN: 'the user is an administrator',
      }),
      route('GET /teams', 'user-management/list-teams'),
      route('POST /teams', 'user-management/create-team', {
        CONFLICT: 'a team of this name exists',
      }),
      route('DELETE /teams/:teamId', 'user-management/delete-team', {
        FORBIDDEN: 'the team is the default team',
      }),
      route('POST /teams/:teamId/users', 'user-management/add-team-user', {
        CONFLICT: 'the user is already in the team',
      }),
      route('DELETE /teams/:teamId/users/:userId', 'user-management/remove-team-user'),
    ],
  },
];
