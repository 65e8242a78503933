import { type DocumentNode, type FieldNode, Kind, type ValueNode } from 'graphql';

type RestCall = {
  path: string;
  arguments: readonly string[];
  /** The argument whose enum values REST writes in lower case. */
  inLowerCase?: string;
  key: 'organization' | 'user';
};

/**
 * GraphQL query fields that a REST call answers as well, with the arguments that the call accepts.
 * A test compares this list with the OpenAPI document.
 */
export const restCalls: Readonly<Record<string, RestCall>> = {
  assistants: {
    path: '/api/assistants/v1/',
    arguments: ['pageSize', 'after', 'before', 'updatedSince'],
    key: 'user',
  },
  assistantFiles: {
    path: '/api/assistant-files/v1/assistants/{assistantId}/files',
    arguments: ['assistantId', 'pageSize', 'after', 'before', 'updatedSince'],
    key: 'user',
  },
  assistantFile: {
    path: '/api/assistant-files/v1/assistants/{assistantId}/files/{documentId}',
    arguments: ['assistantId', 'documentId'],
    key: 'user',
  },
  conversations: {
    path: '/api/conversations/v1/conversations',
    arguments: ['pageSize', 'after', 'before', 'assistantId', 'isPinned', 'search'],
    key: 'user',
  },
  sharedConversation: {
    path: '/api/conversations/v1/shared/{token}',
    arguments: ['token'],
    key: 'user',
  },
  sealedAuditEntries: {
    path: '/api/audit/v1/entries',
    arguments: ['after', 'limit', 'from', 'until'],
    key: 'organization',
  },
  auditProof: {
    path: '/api/audit/v1/entries/{entryId}/proof',
    arguments: ['entryId'],
    key: 'organization',
  },
  auditCheckpoints: {
    path: '/api/audit/v1/checkpoints',
    arguments: ['after', 'limit'],
    key: 'organization',
  },
  latestAuditCheckpoint: {
    path: '/api/audit/v1/checkpoints/latest',
    arguments: [],
    key: 'organization',
  },
  events: {
    path: '/api/events/v1/events',
    arguments: ['after', 'limit', 'types', 'wait'],
    key: 'organization',
  },
  webhookEndpoints: {
    path: '/api/events/v1/endpoints',
    arguments: ['page', 'pageSize', 'after', 'before'],
    key: 'organization',
  },
  webhookEndpoint: {
    path: '/api/events/v1/endpoints/{endpointId}',
    arguments: ['endpointId'],
    key: 'organization',
  },
  webhookDeliveries: {
    path: '/api/events/v1/endpoints/{endpointId}/deliveries',
    arguments: ['endpointId', 'page', 'pageSize', 'after', 'before', 'state'],
    key: 'organization',
  },
  campaigns: {
    path: '/api/sponsorship/v1/campaigns',
    arguments: ['page', 'pageSize', 'status', 'after', 'before', 'updatedSince'],
    inLowerCase: 'status',
    key: 'organization',
  },
  links: {
    path: '/api/sponsorship/v1/campaigns/{campaignId}/links',
    arguments: ['campaignId', 'page', 'pageSize', 'after', 'before', 'updatedSince'],
    key: 'organization',
  },
  redemptions: {
    path: '/api/sponsorship/v1/campaigns/{campaignId}/redemptions',
    arguments: [
      'campaignId',
      'page',
      'pageSize',
      'billingStatus',
      'after',
      'before',
      'updatedSince',
    ],
    key: 'organization',
  },
  users: {
    path: '/api/user-management/v1/users',
    arguments: ['page', 'pageSize', 'search', 'after', 'before', 'updatedSince'],
    key: 'organization',
  },
  user: {
    path: '/api/user-management/v1/users/{userId}',
    arguments: ['userId'],
    key: 'organization',
  },
  usage: {
    path: '/api/usage/v1/usage',
    arguments: ['from', 'until', 'groupBy'],
    inLowerCase: 'groupBy',
    key: 'organization',
  },
  teams: {
    path: '/api/user-management/v1/teams',
    arguments: ['pageSize', 'after', 'before', 'updatedSince'],
    key: 'organization',
  },
};

type MatchingCall = Pick<RestCall, 'path' | 'key'>;

/**
 * The REST calls that return the fields of a query, with their arguments filled in. A field with an
 * argument that REST does not support has no call.
 */
export function restCallsFor(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): MatchingCall[] {
  return document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== 'query')
      return [];
    const defaults = new Map(
      (definition.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
        variable.name.value,
        defaultValue,
      ]),
    );
    const resolve = (node: ValueNode): unknown => {
      if (node.kind !== Kind.VARIABLE) return literalValue(node);
      const fallback = defaults.get(node.name.value);
      return variables[node.name.value] ?? (fallback && literalValue(fallback));
    };
    return definition.selectionSet.selections.flatMap((selection) =>
      selection.kind === Kind.FIELD ? (matchCall(selection, resolve) ?? []) : [],
    );
  });
}

function matchCall(
  { name, arguments: fieldArguments = [], directives = [] }: FieldNode,
  resolve: (node: ValueNode) => unknown,
): MatchingCall | undefined {
  const call = Object.hasOwn(restCalls, name.value) ? restCalls[name.value] : undefined;
  const values = fieldArguments.flatMap((argument) => {
    const value = resolve(argument.value);
    return value === undefined || value === null ? [] : [[argument.name.value, value] as const];
  });
  if (
    !call ||
    directives.length > 0 ||
    !values.every(
      ([argument, value]) => call.arguments.includes(argument) && typeof value !== 'object',
    )
  )
    return undefined;
  const query = new URLSearchParams();
  let path = call.path;
  for (const [argument, value] of values) {
    const placeholder = `{${argument}}`;
    if (path.includes(placeholder))
      path = path.replace(placeholder, encodeURIComponent(String(value)));
    else
      query.set(
        argument,
        argument === call.inLowerCase ? String(value).toLowerCase() : String(value),
      );
  }
  return path.includes('{')
    ? undefined
    : { path: query.size > 0 ? `${path}?${query}` : path, key: call.key };
}

/**
 * The value of a literal. Lists and objects become an empty object, which no REST parameter
 * accepts.
 */
function literalValue(node: ValueNode): unknown {
  if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return Number(node.value);
  if (node.kind === Kind.STRING || node.kind === Kind.BOOLEAN || node.kind === Kind.ENUM)
    return node.value;
  return node.kind === Kind.NULL ? null : {};
}
