import { type ApiArea, route } from './route-definition.ts';

const alreadyMember = 'the person is already a member of the organization';
const noFreeSeat = 'the organization has no free seat';

const refusedAsAWhole = {
  BAD_INPUT: 'invalid input, or with atomic: a new end is not later than the current end',
  NOT_FOUND: 'with atomic: a redemption is unknown',
};

const notAvailable =
  'the assistant is unknown or not shared with the key’s owner, or the sponsorship of the organization has ended';
const endsWithRequest = 'the run is not durable, and ends when its client disconnects';
const mayNotView = 'the key’s owner may not view the assistant';
const mayNotChange = 'the key’s owner may not change the assistant';
const quotas = {
  QUOTA_EXCEEDED: 'the file exceeds the quota of the organization’s files or bytes',
  CONCURRENCY_LIMIT_REACHED: 'the organization has reached its number of concurrent uploads',
};
const noFile = 'the body is not a multipart form with one part named file, or the file is empty';

export const areas: readonly ApiArea[] = [
  {
    prefix: '/api/assistants/v1',
    name: 'Assistants',
    description: 'The assistants that the owner of the key may use.',
    key: 'USER_KEY',
    envelope: {},
    routes: [
      route('GET /', 'assistants/list-assistants'),
      route('GET /:assistantId', 'assistants/get-assistant', { FORBIDDEN: mayNotView }),
      route(
        'POST /:assistantId/run',
        'assistants/run-assistant',
        {
          FORBIDDEN: `${notAvailable}, or it keeps no conversations`,
          BAD_INPUT: 'invalid messages, a file that cannot be read, or an invalid schema',
          NOT_FOUND: 'the conversation or the message in it is unknown, or not the caller’s',
          QUOTA_EXCEEDED: 'the files do not fit into the quota of the organization',
          CONFLICT: 'the conversation is full, or the answer before the question is not complete',
          CONCURRENCY_LIMIT_REACHED:
            'the organization has reached its number of concurrent runs, or of durable runs that wait',
          BUDGET_EXHAUSTED: 'a budget that the run counts for is used up',
          PROVIDER_FAILED: 'the model provider failed',
          OUTPUT_INVALID: 'the model gave no answer that is valid under the schema',
          PROVIDER_LATE: 'the model provider did not answer in time',
        },
        {
          check: 'assistants/check-run',
          stream: 'assistants/assistant-run',
          durable: { operation: 'runs/start-run', events: 'runs/run-events' },
        },
      ),
      route('GET /runs/:runId/receipt', 'assistants/get-run-receipt', {
        NOT_FOUND: 'the key’s owner has no run with this id',
        CONFLICT: 'the run is not completed',
      }),
    ],
  },
  {
    prefix: '/api/assistants/v1/runs',
    name: 'Runs',
    description:
      'The runs that the owner of the key has started. A run that was started with `Prefer: respond-async` is durable: it goes on without its caller, and its content is kept for a day after its end.',
    key: 'USER_KEY',
    envelope: { status: 'success' },
    routes: [
      route('GET /', 'runs/list-runs'),
      route('GET /:runId', 'runs/get-run'),
      route(
        'GET /:runId/events',
        'runs/get-run-events',
        { NOT_FOUND: 'the run is unknown, is not durable, or its content is deleted' },
        { stream: 'runs/run-events' },
      ),
      route('POST /:runId/cancel', 'runs/cancel-run', { CONFLICT: endsWithRequest }),
      route('DELETE /:runId', 'runs/delete-run', { CONFLICT: endsWithRequest }),
    ],
  },
  {
    prefix: '/api/assistant-files/v1',
    name: 'Assistant Files',
    description:
      'The files of an assistant’s knowledge base. Reading them requires VIEW on the assistant, changing them EDIT.',
    key: 'USER_KEY',
    envelope: {},
    routes: [
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
    prefix: '/api/conversations/v1',
    name: 'Conversations',
    description:
      'The conversations of the owner of the key. Nobody else reads them, unless they are shared by link.',
    key: 'USER_KEY',
    envelope: {},
    routes: [
      route('GET /conversations', 'conversations/list-conversations'),
      route('POST /conversations', 'conversations/create-conversation', {
        FORBIDDEN:
          'the assistant is unknown or not shared with the key’s owner, or the organization keeps no conversations',
      }),
      route('POST /conversations/erase', 'conversations/erase-my-conversations'),
      route('GET /conversations/:conversationId', 'conversations/get-conversation'),
      route('PATCH /conversations/:conversationId', 'conversations/update-conversation'),
      route('DELETE /conversations/:conversationId', 'conversations/delete-conversation'),
      route('GET /conversations/:conversationId/export', 'conversations/export-conversation'),
      route('POST /conversations/:conversationId/share', 'conversations/share-conversation', {
        CONFLICT: 'the conversation has no messages yet',
      }),
      route('DELETE /conversations/:conversationId/share', 'conversations/unshare-conversation'),
      route('GET /shared/:token', 'conversations/get-shared-conversation'),
      route('GET /attachments/:attachmentId/content', 'conversations/get-attachment-content'),
    ],
  },
  {
    prefix: '/api/sponsorship/v1',
    name: 'Partner Sponsorship',
    description:
      'Campaigns, their links and their redemptions. People redeem links in the product, not through the API.',
    key: 'ORGANIZATION_KEY',
    envelope: { status: 'success' },
    routes: [
      route('GET /campaigns', 'sponsorship/list-campaigns'),
      route('POST /campaigns', 'sponsorship/create-campaign'),
      route('GET /campaigns/:campaignId', 'sponsorship/get-campaign'),
      route('PATCH /campaigns/:campaignId', 'sponsorship/update-campaign'),
      route('GET /campaigns/:campaignId/figures', 'sponsorship/get-campaign-figures'),
      route('GET /campaigns/:campaignId/links', 'sponsorship/list-links'),
      route('POST /campaigns/:campaignId/links', 'sponsorship/create-link'),
      route('GET /links/:linkId', 'sponsorship/get-link'),
      route('GET /links/:linkId/figures', 'sponsorship/get-link-figures'),
      route('PATCH /links/:linkId', 'sponsorship/update-link'),
      route('PATCH /links/:linkId/password', 'sponsorship/set-link-password'),
      route(
        'GET /campaigns/:campaignId/redemptions',
        'sponsorship/list-redemptions',
        {},
        { rows: 'sponsorship/export-redemptions' },
      ),
      route('GET /redemptions/:redemptionId', 'sponsorship/get-redemption'),
      route('PATCH /redemptions/:redemptionId/extend', 'sponsorship/extend-redemption', {
        BAD_INPUT:
          'invalid input, or newSponsoredUntil is not later than the current end of the sponsorship',
      }),
      route('PATCH /redemptions/:redemptionId/billing', 'sponsorship/set-redemption-billing'),
      route('PATCH /redemptions/extend', 'sponsorship/bulk-extend-redemptions', refusedAsAWhole),
      route(
        'PATCH /redemptions/billing',
        'sponsorship/bulk-set-redemption-billing',
        refusedAsAWhole,
      ),
      route('GET /statements', 'sponsorship/list-statements'),
      route('GET /statements/:month', 'sponsorship/get-statement'),
      route(
        'GET /statements/:month/entries',
        'sponsorship/list-statement-entries',
        {},
        {
          rows: 'sponsorship/export-statement-entries',
          rowsName: 'sponsorship-statement-:month',
        },
      ),
      route('GET /statements/:month/pdf', 'sponsorship/get-statement-pdf'),
    ],
  },
  {
    prefix: '/api/user-management/v1',
    name: 'User Management',
    description: 'Users and teams of the organization that the key belongs to.',
    key: 'ORGANIZATION_KEY',
    envelope: { status: 'success' },
    routes: [
      route('GET /users', 'user-management/list-users'),
      route('POST /users', 'user-management/create-user', {
        CONFLICT: alreadyMember,
        SEAT_LIMIT_REACHED: noFreeSeat,
      }),
      route('POST /users/bulk', 'user-management/bulk-create-users', {
        CONFLICT: `with atomic: ${alreadyMember}`,
        SEAT_LIMIT_REACHED: `with atomic: ${noFreeSeat}`,
      }),
      route('POST /users/add', 'user-management/add-user', {
        NOT_FOUND: 'nobody has an account with this e-mail address',
        CONFLICT: alreadyMember,
        SEAT_LIMIT_REACHED: noFreeSeat,
      }),
      route('GET /users/:userId', 'user-management/get-user'),
      route('PATCH /users/:userId', 'user-management/update-user', {
        FEATURE_DISABLED: 'feature not enabled, or a role without the feature userRoles',
        FORBIDDEN:
          'the user has set their own names, or is an administrator whose role would change',
      }),
      route('DELETE /users/:userId', 'user-management/remove-user', {
        FORBIDDEN: 'the user is an administrator',
      }),
      route('GET /teams', 'user-management/list-teams'),
      route('POST /teams', 'user-management/create-team', {
        CONFLICT: 'a team of this name exists',
      }),
      route('GET /teams/:teamId', 'user-management/get-team'),
      route('PATCH /teams/:teamId', 'user-management/update-team', {
        CONFLICT: 'a team of this name exists',
      }),
      route('DELETE /teams/:teamId', 'user-management/delete-team', {
        FORBIDDEN: 'the team is the default team',
      }),
      route('GET /teams/:teamId/users', 'user-management/list-team-users'),
      route('POST /teams/:teamId/users', 'user-management/add-team-user', {
        CONFLICT: 'the user is already in the team',
      }),
      route('DELETE /teams/:teamId/users/:userId', 'user-management/remove-team-user'),
    ],
  },
  {
    prefix: '/api/usage/v1',
    name: 'Usage',
    description: 'What the runs of the organization have used, and what they cost.',
    key: 'ORGANIZATION_KEY',
    envelope: { status: 'success' },
    routes: [
      route(
        'GET /usage',
        'usage/get-usage',
        { BAD_INPUT: 'invalid input, until is not later than from, or the time is too long' },
        { rows: 'usage/export-usage' },
      ),
    ],
  },
  {
    prefix: '/api/audit/v1',
    name: 'Audit',
    description:
      'The audit log of the organization, with the proofs that nothing in it was changed or removed.',
    key: 'ORGANIZATION_KEY',
    envelope: { status: 'success' },
    routes: [
      route('GET /entries', 'audit/list-audit-entries', {}, { rows: 'audit/export-audit-entries' }),
      route('GET /entries/:entryId/proof', 'audit/get-audit-proof', {
        CONFLICT: 'the entry is not sealed yet',
      }),
      route('GET /checkpoints', 'audit/list-audit-checkpoints'),
      route('GET /checkpoints/latest', 'audit/get-latest-audit-checkpoint', {
        NOT_FOUND: 'nothing is sealed yet',
      }),
    ],
  },
  {
    prefix: '/api/events/v1',
    name: 'Events',
    description:
      'What happens in the organization, as a feed that programs follow and as webhooks to addresses of theirs.',
    key: 'ORGANIZATION_KEY',
    envelope: { status: 'success' },
    routes: [
      route('GET /events', 'events/list-events', {
        CURSOR_EXPIRED: 'the events after the cursor are no longer kept',
      }),
      route('GET /endpoints', 'events/list-webhook-endpoints'),
      route(
        'POST /endpoints',
        'events/create-webhook-endpoint',
        {
          BAD_INPUT: 'invalid input, or an address that webhooks cannot have',
          QUOTA_EXCEEDED: 'the organization has all of the endpoints that it may have',
        },
        { answersSecret: true },
      ),
      route('GET /endpoints/:endpointId', 'events/get-webhook-endpoint'),
      route('PATCH /endpoints/:endpointId', 'events/update-webhook-endpoint', {
        BAD_INPUT: 'invalid input, or an address that webhooks cannot have',
      }),
      route('DELETE /endpoints/:endpointId', 'events/delete-webhook-endpoint'),
      route(
        'POST /endpoints/:endpointId/rotate',
        'events/rotate-webhook-secret',
        {},
        { answersSecret: true },
      ),
      route('POST /endpoints/:endpointId/test', 'events/send-test-webhook', {
        CONFLICT: 'the endpoint is disabled',
      }),
      route('POST /endpoints/:endpointId/replay', 'events/replay-webhooks', {
        BAD_INPUT: 'invalid input, or until is not later than from',
        CONFLICT: 'the endpoint is disabled, or another replay is in progress',
      }),
      route('GET /endpoints/:endpointId/deliveries', 'events/list-webhook-deliveries'),
      route('POST /deliveries/:deliveryId/retry', 'events/retry-webhook-delivery', {
        CONFLICT: 'the endpoint is disabled',
      }),
    ],
  },
];
