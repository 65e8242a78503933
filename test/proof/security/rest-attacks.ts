import { createExecutor } from '../../../src/graph/execute/execute.ts';
import { loadRoutes, type Route } from '../../../src/rest/load-routes.ts';
import { areas } from '../../../src/rest/routes.ts';
import { schema } from '../../../src/schema.ts';
import { sampleOf } from '../../support/schema-operations.ts';
import { type AttackRequest, jsonAttack } from './attack-request.ts';
import { type IdsByName, oversizedKinds, textShapes, worstValue } from './expensive-values.ts';

const bodyBytes = 900_000;
// Node refuses headers of 16 kB and more.
const headBytes = 12_000;

type AttackKeys = { organization: string; user: string };

/** Every documented call with the largest input in each shape, and with oversized values. */
export const restAttacks = (keys: AttackKeys, ids: IdsByName): AttackRequest[] => {
  // A type refuses the same values in every call, so each type is tried once.
  const testedTypes = new Set<string>();
  return loadRoutes(createExecutor(schema), areas).flatMap((route) =>
    attacksOnRoute(route, keys, ids, testedTypes),
  );
};

function attacksOnRoute(
  route: Route,
  keys: AttackKeys,
  ids: IdsByName,
  testedTypes: Set<string>,
): AttackRequest[] {
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
  const inputs = operation.variables
    .filter(({ name, type }) => !inPath.has(name) && !String(type).includes('Upload'))
    .map((variable) => ({ ...variable, extensions: variable.argument?.extensions ?? {} }));
  const valuesIn = (shape: (typeof textShapes)[number], bytes: number) =>
    Object.fromEntries(
      inputs.map((input) => [
        input.name,
        worstValue(input, shape, ids, bytes / Math.max(1, inputs.length)),
      ]),
    );
  if (operation.takesFile) return [];
  if (method === 'GET' || method === 'DELETE') {
    return textShapes.flatMap((shape) => {
      const query = Object.entries(valuesIn(shape, headBytes / 8)).map(
        ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
      );
      const inQuery = {
        name: `${call}: ${shape.name}`,
        to: 'api' as const,
        build: () => ({ method, path: `${path}?${query.join('&')}`.slice(0, headBytes), headers }),
      };
      // DELETE is left out, because the other calls need the objects.
      return method === 'GET' ? [inQuery] : [];
    });
  }
  const largest = textShapes.map((shape) =>
    jsonAttack(`${call}: ${shape.name}`, path, headers, () => valuesIn(shape, bodyBytes), method),
  );
  const refused = operation.variables
    .filter(
      ({ name, type }) =>
        !inPath.has(name) && !testedTypes.has(String(type)) && testedTypes.add(String(type)),
    )
    .flatMap(({ name }) =>
      oversizedKinds.map((kind) =>
        jsonAttack(
          `${call}: ${name} of ${kind.name}`,
          path,
          headers,
          () => ({
            ...Object.fromEntries(
              inputs.map((input) => [input.name, ids[input.name] ?? sampleOf(input, 'a')]),
            ),
            [name]: kind.value(bodyBytes),
          }),
          method,
        ),
      ),
    );
  return [...largest, ...refused];
}

/** Headers as large as Node allows, with values that the server has to split or match. */
export function headAttacks(keys: AttackKeys, ids: IdsByName): AttackRequest[] {
  const authorization = `Bearer ${keys.user}`;
  const file = `/api/assistant-files/v1/assistants/${ids['assistantId']}/files/${ids['documentId']}`;
  const repeatUnit = (unit: string) => unit.repeat(headBytes / unit.length);
  const headerCases: [string, string, Record<string, string>][] = [
    [
      'an Authorization of blanks',
      '/api/assistants/v1',
      { authorization: `Bearer${repeatUnit(' ')}x` },
    ],
    ['If-None-Match of quotes', file, { authorization, 'if-none-match': repeatUnit('"') }],
    ['If-None-Match of tags', file, { authorization, 'if-none-match': repeatUnit('"a",') }],
    ['If-Match without an end', file, { authorization, 'if-match': `"${repeatUnit('W/')}` }],
    [
      'an Accept of many types',
      '/graphql?query=%7B__typename%7D',
      { authorization, accept: repeatUnit('a/b;q=0.1,') },
    ],
    [
      'an Accept of blanks',
      '/graphql?query=%7B__typename%7D',
      { authorization, accept: `text/event-stream${repeatUnit(' ')}x` },
    ],
    ['an Accept-Encoding of commas', '/', { 'accept-encoding': repeatUnit(',') }],
    [
      'a Cookie of names',
      '/graphql?query=%7B__typename%7D',
      { cookie: repeatUnit('a=b; '), accept: 'application/json' },
    ],
    [
      'a Cookie of blanks',
      '/graphql?query=%7B__typename%7D',
      { cookie: `a=${repeatUnit(' ')}`, accept: 'application/json' },
    ],
    [
      'a Range of ranges',
      `${file}/content`,
      { authorization, range: `bytes=${repeatUnit('0-1,')}0-1` },
    ],
    [
      'an Idempotency-Key of letters',
      '/api/assistants/v1',
      { authorization, 'idempotency-key': repeatUnit('a') },
    ],
    [
      'a Content-Type of blanks',
      '/api/assistants/v1',
      { authorization, 'content-type': `multipart/form-data${repeatUnit(' ')};` },
    ],
    ['an X-Forwarded-For of addresses', '/livez', { 'x-forwarded-for': repeatUnit('1.1.1.1,') }],
    ['an Origin of letters', '/auth/get-session', { origin: `https://${repeatUnit('a')}` }],
    ['a path of slashes', repeatUnit('/'), {}],
    ['a path of escapes', `/api/assistants/v1/${repeatUnit('%41')}/run`, { authorization }],
    [
      'a query of names',
      `/api/user-management/v1/users?${repeatUnit('a&')}`,
      { authorization: `Bearer ${keys.organization}` },
    ],
  ];
  return headerCases.map(([name, path, headers]) => ({
    name: `head: ${name}`,
    to: 'api',
    build: () => ({ method: 'GET', path, headers }),
  }));
}
