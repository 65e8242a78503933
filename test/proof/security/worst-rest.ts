import { createRouter, type Route } from '../../../src/rest/router.ts';
import { areas } from '../../../src/rest/routes.ts';
import { admittedSchema } from '../../../src/schema.ts';
import { sampleOf } from '../../support/whole-schema.ts';
import { type Attack, jsonAttack } from './attack.ts';
import { type Ids, oversizedKinds, shapes, worstValue } from './worst-values.ts';

const bodyBytes = 900_000;
// Node refuses 16 kB of head.
const headBytes = 12_000;

type Keys = { organization: string; user: string };

/**
 * Each documented call with the largest input in each shape, and with input that no type admits.
 */
export const restAttacks = (keys: Keys, ids: Ids): Attack[] => {
  // A type refuses the same values wherever it stands.
  const refusing = new Set<string>();
  return createRouter(admittedSchema, areas).routes.flatMap((route) =>
    attacksOn(route, keys, ids, refusing),
  );
};

function attacksOn(route: Route, keys: Keys, ids: Ids, refusing: Set<string>): Attack[] {
  const { method, segments, area, operation } = route;
  const headers = {
    authorization: `Bearer ${area.key === 'USER_KEY' ? keys.user : keys.organization}`,
    accept: 'application/json',
  };
  const path = `/${segments.map((part) => (part.startsWith(':') ? (ids[part.slice(1)] ?? 'a') : part)).join('/')}`;
  const call = `${method} ${route.path}`;
  const inPath = new Set(
    segments.filter((part) => part.startsWith(':')).map((part) => part.slice(1)),
  );
  const inputs = operation.variables.filter(
    ({ name, type }) => !inPath.has(name) && !String(type).includes('Upload'),
  );
  const valuesIn = (shape: (typeof shapes)[number], bytes: number) =>
    Object.fromEntries(
      inputs.map(({ name, type }) => [
        name,
        worstValue(name, type, shape, ids, bytes / Math.max(1, inputs.length)),
      ]),
    );
  if (operation.takesFile) return [];
  if (method === 'GET' || method === 'DELETE') {
    return shapes.flatMap((shape) => {
      const query = Object.entries(valuesIn(shape, headBytes / 8)).map(
        ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
      );
      const inQuery = {
        name: `${call}: ${shape.name}`,
        to: 'api' as const,
        ask: () => ({ method, path: `${path}?${query.join('&')}`.slice(0, headBytes), headers }),
      };
      // Nothing is deleted: what the other calls need stays.
      return method === 'GET' ? [inQuery] : [];
    });
  }
  const largest = shapes.map((shape) =>
    jsonAttack(`${call}: ${shape.name}`, path, headers, () => valuesIn(shape, bodyBytes), method),
  );
  const refused = operation.variables
    .filter(
      ({ name, type }) =>
        !inPath.has(name) && !refusing.has(String(type)) && refusing.add(String(type)),
    )
    .flatMap(({ name }) =>
      oversizedKinds.map((kind) =>
        jsonAttack(
          `${call}: ${name} of ${kind.name}`,
          path,
          headers,
          () => ({
            ...Object.fromEntries(
              inputs.map((input) => [input.name, ids[input.name] ?? sampleOf(input.type, 'a')]),
            ),
            [name]: kind.value(bodyBytes),
          }),
          method,
        ),
      ),
    );
  return [...largest, ...refused];
}

/** Heads as large as Node takes them: each is read by code that splits or matches it. */
export function headAttacks(keys: Keys, ids: Ids): Attack[] {
  const authorization = `Bearer ${keys.user}`;
  const file = `/api/assistant-files/v1/assistants/${ids['assistantId']}/files/${ids['documentId']}`;
  const times = (unit: string) => unit.repeat(headBytes / unit.length);
  const heads: [string, string, Record<string, string>][] = [
    ['an Authorization of blanks', '/api/assistants/v1', { authorization: `Bearer${times(' ')}x` }],
    ['If-None-Match of quotes', file, { authorization, 'if-none-match': times('"') }],
    ['If-None-Match of tags', file, { authorization, 'if-none-match': times('"a",') }],
    ['If-Match without an end', file, { authorization, 'if-match': `"${times('W/')}` }],
    [
      'an Accept of many types',
      '/graphql?query=%7B__typename%7D',
      { authorization, accept: times('a/b;q=0.1,') },
    ],
    [
      'an Accept of blanks',
      '/graphql?query=%7B__typename%7D',
      { authorization, accept: `text/event-stream${times(' ')}x` },
    ],
    ['an Accept-Encoding of commas', '/', { 'accept-encoding': times(',') }],
    [
      'a Cookie of names',
      '/graphql?query=%7B__typename%7D',
      { cookie: times('a=b; '), accept: 'application/json' },
    ],
    [
      'a Cookie of blanks',
      '/graphql?query=%7B__typename%7D',
      { cookie: `a=${times(' ')}`, accept: 'application/json' },
    ],
    ['a Range of ranges', `${file}/content`, { authorization, range: `bytes=${times('0-1,')}0-1` }],
    [
      'an Idempotency-Key of letters',
      '/api/assistants/v1',
      { authorization, 'idempotency-key': times('a') },
    ],
    [
      'a Content-Type of blanks',
      '/api/assistants/v1',
      { authorization, 'content-type': `multipart/form-data${times(' ')};` },
    ],
    ['an X-Forwarded-For of addresses', '/livez', { 'x-forwarded-for': times('1.1.1.1,') }],
    ['an Origin of letters', '/auth/get-session', { origin: `https://${times('a')}` }],
    ['a path of slashes', times('/'), {}],
    ['a path of escapes', `/api/assistants/v1/${times('%41')}/run`, { authorization }],
    [
      'a query of names',
      `/api/user-management/v1/users?${times('a&')}`,
      { authorization: `Bearer ${keys.organization}` },
    ],
  ];
  return heads.map(([name, path, headers]) => ({
    name: `head: ${name}`,
    to: 'api',
    ask: () => ({ method: 'GET', path, headers }),
  }));
}
