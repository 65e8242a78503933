import { breakBody } from './break-body.ts';
import type { Chance } from './chance.ts';
import { oddHeaders } from './odd-headers.ts';
import { askOf, type Draft, type Keys } from './rest-requests.ts';
import type { Ask } from './send.ts';
import { oddValues } from './values.ts';

type Break = (chance: Chance, draft: Draft, keys: Keys) => void;

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

const breaks: readonly Break[] = [
  (chance, draft, keys) => {
    const key = chance.pick([...keys.wrong, keys.organization, ...keys.user]);
    const said = chance.pick([
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
    draft.headers['authorization'] = said;
  },
  (_, draft) => {
    delete draft.headers['authorization'];
  },
  (chance, draft) => {
    const segments = draft.path.split('/');
    segments[1 + chance.below(segments.length - 1)] = chance.percent(10)
      ? 'x'.repeat(6_000)
      : chance.pick(oddSegments);
    draft.path = segments.join('/');
  },
  (chance, draft) => {
    draft.path = chance.pick([
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
  (chance, draft) => {
    draft.method = chance.pick(methods);
  },
  (chance, draft) => {
    const name = chance.pick([
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
    const value = chance.pick(oddTexts);
    draft.query.push(
      ...Array.from(
        {
          length: chance.percent(5) && name.length + value.length < 20 ? 300 : 1 + chance.below(2),
        },
        (): [string, string] => [name, value],
      ),
    );
  },
  (chance, draft) => {
    const name = chance.pick(headerNames);
    draft.headers[name] = chance.pick(oddHeaders[name] ?? []);
  },
  (chance, draft) => {
    draft.headers['content-type'] = chance.pick(oddHeaders['content-type'] ?? []);
  },
  (chance, draft) => {
    if (draft.json !== undefined) draft.json = withOddValue(chance, draft.json);
    else if (draft.form)
      draft.form = chance.pick([
        [],
        [...draft.form, ...draft.form],
        draft.form.map((part) => ({
          ...part,
          name: chance.pick(['file', 'files', 'messages', '', '__proto__', 'x']),
        })),
      ]);
  },
  (chance, draft) => {
    for (const part of draft.form ?? [])
      part.fileName = chance.pick([
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
      draft.json = withOddValue(chance, withOddValue(chance, draft.json));
  },
];

/** The same request, broken in up to three ways before it is written down, or in its bytes. */
export function brokenAsk(chance: Chance, draft: Draft, keys: Keys): Ask {
  const count = 1 + chance.below(3);
  for (let nth = 0; nth < count; nth += 1) chance.pick(breaks)(chance, draft, keys);
  const ask = askOf(draft);
  return ask.body && chance.percent(45) ? breakBody(chance, ask, ask.body) : ask;
}

/** Puts a value that nobody asked for at one place of a JSON value, or takes that place away. */
export function withOddValue(chance: Chance, value: unknown): unknown {
  const odd = chance.pick(oddValues);
  if (typeof value !== 'object' || value === null || chance.percent(15)) return odd;
  if (Array.isArray(value))
    return value.length === 0
      ? [odd]
      : value.map((item, index) =>
          index === chance.below(value.length) ? withOddValue(chance, item) : item,
        );
  const entries = Object.entries(value);
  const [name, inner] = entries[chance.below(entries.length)] ?? ['name', undefined];
  if (chance.percent(20)) return Object.fromEntries(entries.filter(([other]) => other !== name));
  if (chance.percent(20))
    return {
      ...value,
      [chance.pick([
        '__proto__x',
        'constructor',
        'toString',
        'id',
        'organizationId',
        'pricing',
        'x'.repeat(1_000),
      ])]: odd,
    };
  return { ...value, [name]: withOddValue(chance, inner) };
}
