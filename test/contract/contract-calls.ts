/**
 * All calls of part 4 of the specification, with the statuses of its error table (part 7, decisions
 * D10, D17, D22).
 */
export type ContractCall = {
  /** For example "PATCH /links/:linkId"; part of the titles of checks. */
  name: string;
  method: string;
  /** The complete path, with its parameters as `:name`. */
  template: string;
  area: CallArea;
  key: 'user' | 'organization';
  bodyKind: 'nothing' | 'json' | 'file';
  errors: readonly number[];
};

type CallArea = 'assistants' | 'assistant-files' | 'sponsorship' | 'user-management';

const areas: Record<
  CallArea,
  { prefix: string; key: ContractCall['key']; errors: readonly number[] }
> = {
  assistants: {
    prefix: '/api/assistants/v1',
    key: 'user',
    // 404 and 409 are about the conversation of a run, which the specification does not have.
    errors: [400, 401, 403, 404, 409, 429, 502, 504],
  },
  'assistant-files': {
    prefix: '/api/assistant-files/v1',
    key: 'user',
    errors: [400, 401, 403, 404, 413, 429],
  },
  sponsorship: {
    prefix: '/api/sponsorship/v1',
    key: 'organization',
    errors: [400, 401, 403, 404, 429],
  },
  'user-management': {
    prefix: '/api/user-management/v1',
    key: 'organization',
    errors: [400, 401, 403, 404, 409, 429],
  },
};

const callLines: Record<CallArea, readonly string[]> = {
  assistants: ['GET /', 'POST /:assistantId/run'],
  'assistant-files': [
    'GET /assistants/:assistantId/files',
    'POST /assistants/:assistantId/files',
    'GET /assistants/:assistantId/files/:documentId',
    'PUT /assistants/:assistantId/files/:documentId',
    'DELETE /assistants/:assistantId/files/:documentId',
  ],
  sponsorship: [
    'GET /campaigns',
    'POST /campaigns',
    'PATCH /campaigns/:campaignId',
    'GET /campaigns/:campaignId/links',
    'POST /campaigns/:campaignId/links',
    'PATCH /links/:linkId',
    'PATCH /links/:linkId/password',
    'GET /campaigns/:campaignId/redemptions',
    'PATCH /redemptions/:redemptionId/extend',
    'PATCH /redemptions/:redemptionId/billing',
  ],
  'user-management': [
    'GET /users',
    'POST /users',
    'POST /users/add',
    'GET /users/:userId',
    'DELETE /users/:userId',
    'GET /teams',
    'POST /teams',
    'DELETE /teams/:teamId',
    'POST /teams/:teamId/users',
    'DELETE /teams/:teamId/users/:userId',
  ],
};

export const contractCalls: readonly ContractCall[] = Object.entries(callLines).flatMap(
  ([name, areaLines]) => areaLines.map((line) => contractCall(name as CallArea, line)),
);

function contractCall(area: CallArea, line: string): ContractCall {
  const [method = '', path = ''] = line.split(' ');
  const { prefix, key, errors } = areas[area];
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const bodyKind = !hasBody ? 'nothing' : area === 'assistant-files' ? 'file' : 'json';
  return {
    name: `${method} ${path === '/' ? 'assistants' : path}`,
    method,
    template: (prefix + path).replace(/\/$/, ''),
    area,
    key,
    bodyKind,
    errors,
  };
}

/** Finds the call of a request, or undefined if the contract has none at this path. */
export function callAt(method: string, path: string): ContractCall | undefined {
  const segments = segmentsOf(path.split('?')[0] ?? '');
  return contractCalls
    .filter((call) => call.method === method && isPathOf(segmentsOf(call.template), segments))
    .toSorted((a, b) => parametersOf(a) - parametersOf(b))[0];
}

/** The path of the call with the id `unknown` for each parameter. */
export const unknownPathOf = ({ template }: ContractCall): string =>
  template.replaceAll(/:\w+/g, 'unknown');

const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/');
const parametersOf = ({ template }: ContractCall) => template.split(':').length;
const isPathOf = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((part, index) =>
    part.startsWith(':') ? segments[index] !== '' : part === segments[index],
  );
