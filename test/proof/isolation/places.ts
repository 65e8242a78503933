import { type GraphQLArgument, getNamedType, isNonNullType } from 'graphql';
import { everyCall } from '../../support/calls.ts';
import { formOf, formType } from '../../support/files.ts';
import { operationFor, type RootField, rootFields, sampleOf } from '../../support/whole-schema.ts';

export type Asked = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: BodyInit;
};

/** What stands in a place: the id of a row of this table, or a text of another kind. */
export type Kind = string;

/** Where something of another tenant can stand in a request; all else in it is the caller's own. */
export type Place = {
  where: string;
  kinds: readonly Kind[];
  /** False where what is found may differ by what is looked for, as scores do. */
  isComparable: boolean;
  /** Where nothing shows who asks, nobody asks. */
  isForNobody?: boolean;
  ask(standing: (kind: Kind) => string): Asked;
};

/** One of our own, for all places but the one. */
export type Own = (kind: Kind) => string;

const tables: Record<string, Kind> = {
  assistantId: 'assistants',
  documentId: 'assistant_files',
  versionId: 'assistant_files',
  campaignId: 'campaigns',
  linkId: 'links',
  redemptionId: 'redemptions',
  redemptionIds: 'redemptions',
  after: 'redemptions',
  teamId: 'teams',
  targetId: 'teams',
  userId: 'users',
  actorUserId: 'users',
  actorKeyId: 'api_keys',
  before: 'audit_entries',
  organizationId: 'organizations',
  responsibleId: 'users',
  'removePasskey.id': 'sessions',
  'renamePasskey.id': 'sessions',
  'revokeApiKey.id': 'api_keys',
  'setApiKeyLimit.id': 'api_keys',
  'setApiKeyLimitMax.id': 'api_keys',
  'takeOverOrganizationKey.id': 'api_keys',
  'revokeSession.id': 'sessions',
  'revokeInvitation.id': 'invitations',
  'resendInvitation.id': 'invitations',
};
const kindsOfText: Record<string, Kind> = {
  SearchText: 'search',
  AuditWord: 'search',
  VaultQuery: 'search',
};

const textKinds: readonly Kind[] = ['search', 'email'];

function tableOf(name: string, field = ''): Kind {
  const table = tables[name] ?? tables[`${field}.${name}`];
  if (table === undefined)
    throw new Error(`Nobody knows what ${field}.${name} is the id of: say so in places.ts`);
  return table;
}

function kindOf({ name, type }: GraphQLArgument, field: string): Kind | undefined {
  const named = getNamedType(type).name;
  if (named === 'ResourceId' || named === 'ID' || named === 'RedemptionIdList')
    return tableOf(name, field);
  // A token leads to a tenant by itself; here it is something that is none.
  if (named === 'String' && name === 'token') return 'links';
  if (named === 'EmailAddress' && field === 'shareAssistant') return 'email';
  return kindsOfText[named];
}

// Small pages, so that no limit stops a deep look; and what one of two arguments must be.
const taken = ['pageSize', 'months'];

const json = { 'content-type': 'application/json' };

export function graphRequest(
  { kind }: Pick<RootField, 'kind'>,
  query: string,
  variables: Record<string, unknown>,
): Asked {
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

/**
 * The arguments of a field: those that are asked for, and in one place, or in several, something
 * else.
 */
export function graphPlaces(own: Own, depth = 2): Place[] {
  return rootFields.flatMap((root) => {
    const places = root.field.args.flatMap((argument) => {
      const kind = kindOf(argument, root.name);
      return kind === undefined ? [] : [{ argument, kind }];
    });
    const query = operationFor(root, { depth });
    const asking =
      (chosen: typeof places): Place['ask'] =>
      (standing) => {
        const variables: Record<string, unknown> = {};
        for (const argument of root.field.args) {
          const foreign = chosen.find((place) => place.argument === argument);
          const kind = kindOf(argument, root.name);
          const value = foreign ? standing(foreign.kind) : own(kind ?? 'search');
          const isWanted =
            foreign !== undefined ||
            (isNonNullType(argument.type) && argument.defaultValue === undefined) ||
            taken.includes(argument.name);
          if (isWanted)
            variables[argument.name] =
              foreign && textKinds.includes(foreign.kind) ? value : sampleOf(argument.type, value);
        }
        return graphRequest(root, query, variables);
      };
    const isComparable = (kinds: Kind[]) =>
      !(root.name === 'vaultSearch' && kinds.includes('search'));
    const alone = places.map((place) => ({
      where: `${root.kind} ${root.name}(${place.argument.name})`,
      of: [place],
    }));
    const together =
      places.length > 1 ? [{ where: `${root.kind} ${root.name}(all)`, of: places }] : [];
    return [...alone, ...together].map(({ where, of }) => {
      const kinds = of.map(({ kind }) => kind);
      return { where, kinds, isComparable: isComparable(kinds), ask: asking(of) };
    });
  });
}

/** Fields in which nothing of another tenant can stand: they are asked once. */
export const placelessFields = rootFields.filter(({ name, field }) =>
  field.args.every((argument) => kindOf(argument, name) === undefined),
);

/** What bodies must have so that the ids are what is looked at. */
const sampleBody = {
  ...{
    email: 'sample@us.example',
    name: 'ours',
    durationMonths: 1,
    password: null,
    billingStatus: 'WAIVED',
    newSponsoredUntil: '2050-01-01T00:00:00.000Z',
  },
  messages: [{ role: 'user', content: 'What is there?' }],
};

export function restPlaces(own: Own): Place[] {
  const place = (where: string, kinds: Kind[], ask: Place['ask']): Place => ({
    where,
    kinds,
    isComparable: true,
    ask,
  });
  return everyCall.flatMap(({ title, method, template, takesBody, takesFile }) => {
    const parameters = [...template.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const ask = (path: string, body: object = {}, headers: Record<string, string> = {}): Asked => {
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
        body: JSON.stringify({ ...sampleBody, userId: own('users'), ...body }),
      };
    };
    const pathWith = (chosen: readonly string[], standing: Own) =>
      template.replaceAll(/:(\w+)/g, (_, name) =>
        encodeURIComponent((chosen.includes(name) ? standing : own)(tableOf(name))),
      );
    const inPath = (chosen: string[]) =>
      place(
        `${title} (${chosen})`,
        chosen.map((name) => tableOf(name)),
        (standing) => ask(pathWith(chosen, standing)),
      );
    const streams = title.endsWith('/run');
    return [
      ...parameters.map((name) => inPath([name])),
      ...(parameters.length > 1 ? [inPath(parameters)] : []),
      ...(template.endsWith('/users') && method === 'POST' && parameters.length > 0
        ? [
            place(`${title} (userId in the body)`, ['users'], (standing) =>
              ask(pathWith([], standing), { userId: standing('users') }),
            ),
          ]
        : []),
      ...(method === 'GET'
        ? [
            place(`${title} (search)`, ['search'], (standing) =>
              ask(`${pathWith([], standing)}?search=${standing('search')}`),
            ),
          ]
        : []),
      ...(method === 'GET'
        ? [
            place(`${title} (organizationId)`, ['organizations'], (standing) =>
              ask(`${pathWith([], standing)}?organizationId=${standing('organizations')}`),
            ),
          ]
        : []),
      ...(streams
        ? [
            place(`${title} (streamed)`, ['assistants'], (standing) =>
              ask(pathWith(parameters, standing), {}, { accept: 'text/event-stream' }),
            ),
          ]
        : []),
    ];
  });
}

/** What is served besides the table of calls. */
export function otherPlaces(own: Own): Place[] {
  const get = (path: string, headers: Record<string, string> = {}): Asked => ({
    method: 'GET',
    path,
    headers,
  });
  const post = (path: string, body: object): Asked => ({
    method: 'POST',
    path,
    headers: { ...json, origin: 'http://atrium.test' },
    body: JSON.stringify(body),
  });
  const chat = { messages: sampleBody.messages };
  const password = 'a wrong password';
  const rows: [string, Kind[], Place['ask']][] = [
    [
      'GET /files (both)',
      ['assistants', 'assistant_files'],
      (of) => get(`/files/${of('assistants')}/${of('assistant_files')}`),
    ],
    [
      'GET /files (file)',
      ['assistant_files'],
      (of) => get(`/files/${own('assistants')}/${of('assistant_files')}`),
    ],
    [
      'GET /files (organization)',
      ['organizations'],
      (of) =>
        get(
          `/files/${own('assistants')}/${own('assistant_files')}?organization=${of('organizations')}`,
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
      'the same, streamed',
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
    [
      'GET /metrics',
      ['organizations'],
      (of) =>
        get(`/metrics?organization=${of('organizations')}`, {
          authorization: 'Bearer the-token-of-the-metrics',
        }),
    ],
    ...['/livez', '/readyz', '/api/openapi.json', '/api/docs', '/'].map(
      (path): [string, Kind[], Place['ask']] => [
        `GET ${path}`,
        ['organizations'],
        (of) => get(`${path}?organization=${of('organizations')}`),
      ],
    ),
  ];
  return rows.map(([where, kinds, ask]) => ({
    where,
    kinds,
    isComparable: !where.includes('metrics'),
    isForNobody: /\/(auth|setup|metrics|livez|readyz)\b/.test(where),
    ask,
  }));
}
