import { getNamedType, isNonNullType } from 'graphql';
import { everyCall } from '../../support/calls.ts';
import { formOf, formType } from '../../support/files.ts';
import {
  operationFor,
  type RootField,
  type RootInput,
  rootFields,
  sampleOf,
} from '../../support/schema-operations.ts';

export type ApiRequest = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: BodyInit;
};

/** The kind of value in a slot: the name of the table whose id it holds, or a kind of text. */
export type ValueKind = string;

/**
 * A position in a request that can hold an id or text of another tenant. The rest of the request
 * contains values of the caller's own tenant.
 */
export type RequestSlot = {
  where: string;
  kinds: readonly ValueKind[];
  /** False where answers may differ for other reasons, such as the scores of a search. */
  isComparable: boolean;
  /** True for addresses that ignore credentials; they are called without any. */
  isAnonymous?: boolean;
  request(valueFor: (kind: ValueKind) => string): ApiRequest;
};

/** Returns a value of the caller's own tenant. */
export type OwnValues = (kind: ValueKind) => string;

const tableByArgument: Record<string, ValueKind> = {
  assistantId: 'assistants',
  conversationId: 'conversations',
  messageId: 'conversation_messages',
  parentMessageId: 'conversation_messages',
  attachmentId: 'conversation_attachments',
  // A valid token would open the tenant by design, so this slot holds an id instead of a token.
  token: 'conversations',
  documentId: 'assistant_files',
  versionId: 'assistant_files',
  campaignId: 'campaigns',
  linkId: 'links',
  redemptionId: 'redemptions',
  redemptionIds: 'redemptions',
  teamId: 'teams',
  targetId: 'teams',
  userId: 'users',
  actorUserId: 'users',
  actorKeyId: 'api_keys',
  organizationId: 'organizations',
  responsibleId: 'users',
  ...{ runId: 'runs', 'run.id': 'runs', 'runEvents.id': 'runs' },
  ...{ 'cancelRun.id': 'runs', 'deleteRun.id': 'runs' },
  budgetId: 'budgets',
  entryId: 'audit_entries',
  ...{ endpointId: 'webhook_endpoints', deliveryId: 'webhook_deliveries' },
  scopeId: 'users',
  'node.id': 'campaigns',
  'nodes.ids': 'campaigns',
  'removePasskey.id': 'sessions',
  'renamePasskey.id': 'sessions',
  'revokeApiKey.id': 'api_keys',
  'setApiKeyLimit.id': 'api_keys',
  'setApiKeyLimitMax.id': 'api_keys',
  'takeOverOrganizationKey.id': 'api_keys',
  'revokeSession.id': 'sessions',
  'revokeInvitation.id': 'invitations',
  'resendInvitation.id': 'invitations',
  'resendLinkInvitation.id': 'link_invitations',
  'revokeLinkInvitation.id': 'link_invitations',
  'markNotificationsRead.ids': 'notifications',
};
const kindByName: Record<string, ValueKind> = {
  search: 'search',
  action: 'search',
  targetType: 'search',
  query: 'search',
};

/** Input objects, and lists of them, whose id is of this table. */
const kindByInput: Record<string, ValueKind> = {
  RedemptionExtensionInput: 'redemptions',
  RedemptionBillingInput: 'redemptions',
};

/** The tables of the objects that `node` and `nodes` return, and their types. */
export const nodeTables: Readonly<Record<ValueKind, string>> = {
  ...{ users: 'User', teams: 'Team', api_keys: 'ApiKey', invitations: 'Invitation' },
  ...{ audit_entries: 'AuditEntry', assistants: 'Assistant', assistant_files: 'AssistantFile' },
  ...{
    conversations: 'Conversation',
    runs: 'Run',
    budgets: 'Budget',
    campaigns: 'Campaign',
    links: 'Link',
  },
  ...{ answer_feedback: 'AssistantFeedback', assistant_versions: 'AssistantVersion' },
  ...{ webhook_endpoints: 'WebhookEndpoint', webhook_deliveries: 'WebhookDelivery' },
  ...{ redemptions: 'Redemption', link_invitations: 'LinkInvitation' },
  notifications: 'Notification',
};

const freeTextKinds: readonly ValueKind[] = ['search', 'email'];

function tableFor(name: string, field = ''): ValueKind {
  const table = tableByArgument[name] ?? tableByArgument[`${field}.${name}`];
  if (table === undefined)
    throw new Error(
      `The table of ${field}.${name} is unknown: add it to tableByArgument in request-slots.ts`,
    );
  return table;
}

function kindFor({ name, type }: RootInput, field: string): ValueKind | undefined {
  const named = getNamedType(type).name;
  if (named === 'ID') return tableFor(name, field);
  // A valid token would open the tenant by design, so this slot holds an id instead of a token.
  if (named === 'String' && name === 'token') return 'links';
  if (named === 'EmailAddress' && field === 'shareAssistant') return 'email';
  return kindByInput[named] ?? (named === 'String' ? kindByName[name] : undefined);
}

// These arguments are always set: small pages keep deep selections within the limits, and `months`
// is one of two arguments of which exactly one is required.
const alwaysSetArguments = ['pageSize', 'months'];

const json = { 'content-type': 'application/json' };

export function graphRequest(
  { kind }: Pick<RootField, 'kind'>,
  query: string,
  variables: Record<string, unknown>,
): ApiRequest {
  const headers = { accept: kind === 'subscription' ? 'text/event-stream' : 'application/json' };
  if (!('file' in variables))
    return {
      method: 'POST',
      path: '/graphql',
      headers: { ...headers, ...json },
      body: JSON.stringify({ query, variables }),
    };
  const body = formOf([
    {
      name: 'operations',
      content: JSON.stringify({ query, variables: { ...variables, file: null } }),
    },
    { name: 'map', content: '{"0":["variables.file"]}' },
    { name: '0', fileName: 'a.txt', type: 'text/plain', content: 'a text' },
  ]);
  return {
    method: 'POST',
    path: '/graphql',
    headers: { ...headers, 'content-type': formType, 'x-graphql-yoga-csrf': 'here' },
    body,
  };
}

/** The slots of each root field: every argument alone, and all of them together. */
export function graphSlots(ownValue: OwnValues, depth = 2): RequestSlot[] {
  return rootFields.flatMap((root) => {
    const slots = root.inputs.flatMap((argument) => {
      const kind = kindFor(argument, root.name);
      return kind === undefined ? [] : [{ argument, kind }];
    });
    const query = operationFor(root, { depth });
    const requestWith =
      (chosenSlots: typeof slots): RequestSlot['request'] =>
      (valueFor) => {
        const variables: Record<string, unknown> = {};
        for (const argument of root.inputs) {
          const foreign = chosenSlots.find((slot) => slot.argument === argument);
          const kind = kindFor(argument, root.name);
          const value = foreign ? valueFor(foreign.kind) : ownValue(kind ?? 'search');
          const isWanted =
            foreign !== undefined ||
            (isNonNullType(argument.type) && argument.defaultValue === undefined) ||
            alwaysSetArguments.includes(argument.name);
          if (isWanted)
            variables[argument.name] =
              foreign && freeTextKinds.includes(foreign.kind) ? value : sampleOf(argument, value);
        }
        return graphRequest(root, query, variables);
      };
    const isComparable = (kinds: ValueKind[]) =>
      !(root.name === 'vaultSearch' && kinds.includes('search'));
    const singleSlots = slots.map((slot) => ({
      where: `${root.kind} ${root.name}(${slot.argument.name})`,
      of: [slot],
    }));
    const combinedSlots =
      slots.length > 1 ? [{ where: `${root.kind} ${root.name}(all)`, of: slots }] : [];
    const nodeSlots =
      root.name === 'node' || root.name === 'nodes'
        ? root.field.args.flatMap((argument) =>
            Object.keys(nodeTables).map((kind) => ({
              where: `${root.kind} ${root.name}(${argument.name} of ${kind})`,
              of: [{ argument, kind }],
            })),
          )
        : [];
    return [...singleSlots, ...combinedSlots, ...nodeSlots].map(({ where, of }) => {
      const kinds = of.map(({ kind }) => kind);
      return { where, kinds, isComparable: isComparable(kinds), request: requestWith(of) };
    });
  });
}

/** Fields without an argument that could hold a foreign value; they are requested once. */
export const fieldsWithoutSlots = rootFields.filter(({ name, inputs }) =>
  inputs.every((argument) => kindFor(argument, name) === undefined),
);

/** A month is no slot: it is the same text for every tenant. */
const monthOfStatements = new Date().toISOString().slice(0, 7);

/** Valid values for required properties, so that only the ids can cause a refusal. */
const sampleBody = {
  ...{
    email: 'sample@own.example',
    name: 'own',
    durationMonths: 1,
    password: null,
    billingStatus: 'WAIVED',
    newSponsoredUntil: '2050-01-01T00:00:00.000Z',
  },
  messages: [{ role: 'user', content: 'What is there?' }],
};

export function restSlots(ownValue: OwnValues): RequestSlot[] {
  const slot = (
    where: string,
    kinds: ValueKind[],
    request: RequestSlot['request'],
  ): RequestSlot => ({
    where,
    kinds,
    isComparable: true,
    request,
  });
  return everyCall.flatMap(({ title, method, template, takesBody, takesFile }) => {
    const pathOfSlots = template.replace(':month', monthOfStatements);
    const parameters = [...pathOfSlots.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const build = (
      path: string,
      body: object = {},
      headers: Record<string, string> = {},
    ): ApiRequest => {
      if (!takesBody) return { method, path, headers };
      if (takesFile)
        return {
          method,
          path,
          headers: { ...headers, 'content-type': formType },
          body: formOf([{ name: 'file', fileName: 'a.txt', content: 'a' }]),
        };
      return {
        method,
        path,
        headers: { ...headers, ...json },
        body: JSON.stringify({ ...sampleBody, userId: ownValue('users'), ...body }),
      };
    };
    const pathWith = (chosenSlots: readonly string[], valueFor: OwnValues) =>
      pathOfSlots.replaceAll(/:(\w+)/g, (_, name) =>
        encodeURIComponent((chosenSlots.includes(name) ? valueFor : ownValue)(tableFor(name))),
      );
    const inPath = (chosenSlots: string[]) =>
      slot(
        `${title} (${chosenSlots})`,
        chosenSlots.map((name) => tableFor(name)),
        (valueFor) => build(pathWith(chosenSlots, valueFor)),
      );
    const streams = title.endsWith('/run');
    return [
      ...parameters.map((name) => inPath([name])),
      ...(parameters.length > 1 ? [inPath(parameters)] : []),
      ...(template.endsWith('/users') && method === 'POST' && parameters.length > 0
        ? [
            slot(`${title} (userId in the body)`, ['users'], (valueFor) =>
              build(pathWith([], valueFor), { userId: valueFor('users') }),
            ),
          ]
        : []),
      ...(template.includes('/redemptions/') && takesBody && parameters.length === 0
        ? [
            slot(`${title} (redemptionId in the body)`, ['redemptions'], (valueFor) =>
              build(template, {
                redemptions: [{ ...sampleBody, redemptionId: valueFor('redemptions') }],
              }),
            ),
          ]
        : []),
      ...(method === 'GET'
        ? [
            slot(`${title} (search)`, ['search'], (valueFor) =>
              build(`${pathWith([], valueFor)}?search=${valueFor('search')}`),
            ),
          ]
        : []),
      ...(method === 'GET'
        ? [
            slot(`${title} (organizationId)`, ['organizations'], (valueFor) =>
              build(`${pathWith([], valueFor)}?organizationId=${valueFor('organizations')}`),
            ),
          ]
        : []),
      ...(streams
        ? [
            slot(`${title} (streamed)`, ['assistants'], (valueFor) =>
              build(pathWith(parameters, valueFor), {}, { accept: 'text/event-stream' }),
            ),
          ]
        : []),
    ];
  });
}

/** The slots of addresses that are not in the table of REST calls. */
export function otherSlots(ownValue: OwnValues): RequestSlot[] {
  const get = (path: string, headers: Record<string, string> = {}): ApiRequest => ({
    method: 'GET',
    path,
    headers,
  });
  const post = (path: string, body: object): ApiRequest => ({
    method: 'POST',
    path,
    headers: { ...json, origin: 'http://atrium.test' },
    body: JSON.stringify(body),
  });
  const chat = { messages: sampleBody.messages };
  const password = 'a wrong password';
  const rows: [string, ValueKind[], RequestSlot['request']][] = [
    [
      'GET /files (both)',
      ['assistants', 'assistant_files'],
      (of) => get(`/files/${of('assistants')}/${of('assistant_files')}`),
    ],
    [
      'GET /files (file)',
      ['assistant_files'],
      (of) => get(`/files/${ownValue('assistants')}/${of('assistant_files')}`),
    ],
    [
      'GET /files (organization)',
      ['organizations'],
      (of) =>
        get(
          `/files/${ownValue('assistants')}/${ownValue('assistant_files')}?organization=${of('organizations')}`,
        ),
    ],
    [
      'GET /api/openai/v1/models',
      ['assistants'],
      (of) => get(`/api/openai/v1/models/${of('assistants')}`),
    ],
    [
      'POST /api/openai/v1/chat/completions',
      ['assistants'],
      (of) => post('/api/openai/v1/chat/completions', { ...chat, model: of('assistants') }),
    ],
    [
      'POST /api/openai/v1/chat/completions, streamed',
      ['assistants'],
      (of) =>
        post('/api/openai/v1/chat/completions', { ...chat, model: of('assistants'), stream: true }),
    ],
    [
      'POST /auth/sign-in/email',
      ['email'],
      (of) => post('/auth/sign-in/email', { email: of('email'), password }),
    ],
    [
      'POST /auth/sign-up/email',
      ['email'],
      (of) => post('/auth/sign-up/email', { email: of('email'), password, firstName: 'A' }),
    ],
    [
      'POST /auth/request-password-reset',
      ['email'],
      (of) => post('/auth/request-password-reset', { email: of('email') }),
    ],
    [
      'POST /auth/send-verification-email',
      ['email'],
      (of) => post('/auth/send-verification-email', { email: of('email') }),
    ],
    [
      'POST /auth/reset-password',
      ['verifications'],
      (of) => post('/auth/reset-password', { token: of('verifications'), password }),
    ],
    [
      'POST /auth/verify-email',
      ['verifications'],
      (of) => post('/auth/verify-email', { token: of('verifications') }),
    ],
    ['GET /auth/get-session', ['sessions'], (of) => get(`/auth/get-session?id=${of('sessions')}`)],
    ['GET /setup', ['verifications'], (of) => get(`/setup?token=${of('verifications')}`)],
    [
      'GET /auth',
      ['links'],
      (of) => get(`/auth?sponsored=${of('links')}`, { accept: 'text/html' }),
    ],
    ['GET /s', ['links'], (of) => get(`/s/${of('links')}`)],
    [
      'GET /metrics',
      ['organizations'],
      (of) =>
        get(`/metrics?organization=${of('organizations')}`, {
          authorization: 'Bearer the-token-of-the-metrics',
        }),
    ],
    ...['/livez', '/readyz', '/api/openapi.json', '/api/docs', '/'].map(
      (path): [string, ValueKind[], RequestSlot['request']] => [
        `GET ${path}`,
        ['organizations'],
        (of) => get(`${path}?organization=${of('organizations')}`),
      ],
    ),
  ];
  return rows.map(([where, kinds, request]) => ({
    where,
    kinds,
    isComparable: !where.includes('metrics'),
    isAnonymous: /\/(auth|setup|metrics|livez|readyz)\b/.test(where),
    request,
  }));
}
