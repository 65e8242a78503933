import { breakBody } from './break-body.ts';
import { oddHeaders } from './odd-headers.ts';
import { type DraftRequest, type FuzzKeys, toHttpRequest } from './rest-requests.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { HttpRequest } from './send.ts';
import { oddValues } from './values.ts';

type RequestMutation = (random: SeededRandom, draft: DraftRequest, keys: FuzzKeys) => void;

const oddSegments = [
  '%00',
  '%ff',
  '%C0%AF',
  '%2e%2e',
  '..',
  '.',
  '%2F',
  '%',
  '%zz',
  '%F0%9F%98%80',
  "'%20OR%201=1--",
  'null',
  'undefined',
  '-1',
  '__proto__',
  'constructor',
  ';a=b',
  '%E2%80%AE',
  '%u0041',
  '{id}',
  ':userId',
  '%ED%A0%80',
];
const oddTexts = [
  '',
  ' ',
  'abc',
  '0',
  '-0',
  '-1',
  '1.0',
  '1e3',
  '1e400',
  '0x10',
  '+1',
  '01',
  ' 1',
  '9007199254740993',
  '9223372036854775808',
  'NaN',
  'Infinity',
  'null',
  '[]',
  '{}',
  'a\0b',
  '\ud800',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '😀'.repeat(201),
  'x'.repeat(201),
  '\u202e',
  'ACTIVE',
  'active,all',
  '１',
];
const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'MKCOL',
  'LINK',
  'PURGE',
  'SEARCH',
  'M-SEARCH',
  'QUERY',
];

const headerNames = Object.keys(oddHeaders).filter((name) => (oddHeaders[name] ?? []).length > 0);

const mutations: readonly RequestMutation[] = [
  (random, draft, keys) => {
    const key = random.pick([...keys.wrong, keys.organization, ...keys.user]);
    const authorization = random.pick([
      `Bearer ${key}`,
      `bearer ${key}`,
      `Bearer  ${key}`,
      `Basic ${key}`,
      key,
      `Bearer ${key} ${key}`,
      `Bearer ${key}é`,
      'Bearer',
      '',
      ' ',
      `Bearer ${'x'.repeat(8_000)}`,
    ]);
    draft.headers['authorization'] = authorization;
  },
  (_, draft) => {
    delete draft.headers['authorization'];
  },
  (random, draft) => {
    const segments = draft.path.split('/');
    segments[1 + random.below(segments.length - 1)] = random.percent(10)
      ? 'x'.repeat(6_000)
      : random.pick(oddSegments);
    draft.path = segments.join('/');
  },
  (random, draft) => {
    draft.path = random.pick([
      `${draft.path}//`,
      draft.path.replace('/', '//'),
      `${draft.path}/more`,
      draft.path.toUpperCase(),
      `${draft.path}%20`,
      `${draft.path}.json`,
      `/.${draft.path}`,
      draft.path.slice(0, -3),
    ]);
  },
  (random, draft) => {
    draft.method = random.pick(methods);
  },
  (random, draft) => {
    const name = random.pick([
      'page',
      'pageSize',
      'search',
      'status',
      'billingStatus',
      '__proto__',
      'constructor',
      'page[]',
      'page[a]',
      '',
      'x'.repeat(1_000),
      'organizationId',
    ]);
    const value = random.pick(oddTexts);
    draft.query.push(
      ...Array.from(
        {
          length: random.percent(5) && name.length + value.length < 20 ? 300 : 1 + random.below(2),
        },
        (): [string, string] => [name, value],
      ),
    );
  },
  (random, draft) => {
    const name = random.pick(headerNames);
    draft.headers[name] = random.pick(oddHeaders[name] ?? []);
  },
  (random, draft) => {
    draft.headers['content-type'] = random.pick(oddHeaders['content-type'] ?? []);
  },
  (random, draft) => {
    if (draft.json !== undefined) draft.json = withOddValue(random, draft.json);
    else if (draft.form)
      draft.form = random.pick([
        [],
        [...draft.form, ...draft.form],
        draft.form.map((part) => ({
          ...part,
          name: random.pick(['file', 'files', 'messages', '', '__proto__', 'x']),
        })),
      ]);
  },
  (random, draft) => {
    for (const part of draft.form ?? [])
      part.fileName = random.pick([
        '',
        '../../x',
        'a\\b.txt',
        'x'.repeat(5_000),
        'a"b',
        'a\0b',
        '\u202etxt.exe',
        '. ',
        'con',
        'a;b=c',
        '%00.pdf',
      ]);
    if (draft.json !== undefined)
      draft.json = withOddValue(random, withOddValue(random, draft.json));
  },
];

/** Breaks a request in up to three ways, and in some cases also the bytes of its body. */
export function brokenRequest(
  random: SeededRandom,
  draft: DraftRequest,
  keys: FuzzKeys,
): HttpRequest {
  const mutationCount = 1 + random.below(3);
  for (let mutation = 0; mutation < mutationCount; mutation += 1)
    random.pick(mutations)(random, draft, keys);
  const request = toHttpRequest(draft);
  return request.body && random.percent(45) ? breakBody(random, request, request.body) : request;
}

/** Replaces, adds or removes one value inside a JSON value. */
export function withOddValue(random: SeededRandom, value: unknown): unknown {
  const odd = random.pick(oddValues);
  if (typeof value !== 'object' || value === null || random.percent(15)) return odd;
  if (Array.isArray(value))
    return value.length === 0
      ? [odd]
      : value.map((item, index) =>
          index === random.below(value.length) ? withOddValue(random, item) : item,
        );
  const entries = Object.entries(value);
  const [name, inner] = entries[random.below(entries.length)] ?? ['name', undefined];
  if (random.percent(20)) return Object.fromEntries(entries.filter(([other]) => other !== name));
  if (random.percent(20))
    return {
      ...value,
      [random.pick([
        '__proto__x',
        'constructor',
        'toString',
        'id',
        'organizationId',
        'pricing',
        'x'.repeat(1_000),
      ])]: odd,
    };
  return { ...value, [name]: withOddValue(random, inner) };
}
