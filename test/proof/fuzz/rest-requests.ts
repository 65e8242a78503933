import type { Call, Schema } from '../../../src/rest/openapi/document.ts';
import { committedDocument } from '../../support/openapi.ts';
import type { Chance } from './chance.ts';
import { type FormPart, fileContents, formOf } from './forms.ts';
import { fileFor, type IdKind, idFor, type LiveIds, nobodysId } from './live-ids.ts';
import type { Ask } from './send.ts';
import { conversations, hostLists, valuesOf } from './values.ts';

/** A request that is not written down yet: what a broken one breaks. */
export type Draft = {
  template: string;
  method: string;
  path: string;
  query: [name: string, value: string][];
  headers: Record<string, string | string[]>;
  json?: unknown;
  form?: FormPart[];
};

export type Keys = { organization: string; user: readonly string[]; wrong: readonly string[] };

type Place = { template: string; method: string; call: Call };
const places: Place[] = Object.entries(committedDocument.paths).flatMap(([template, calls]) =>
  Object.entries(calls).map(([method, call]) => ({ template, method: method.toUpperCase(), call })),
);
// What takes away is asked less often than what gives, or nothing would be left.
const weighed = places.flatMap((place) =>
  place.method === 'DELETE' ? [place] : [place, place, place],
);

const inWords = { messages: conversations, allowedEmailDomains: hostLists };

/** A request as the document describes it. */
export function validDraft(chance: Chance, ids: LiveIds, keys: Keys): Draft {
  const { template, method, call } = chance.pick(weighed);
  const file = fileFor(chance, ids);
  const parameter = (name: string) =>
    name === 'documentId'
      ? file.documentId
      : template.includes('{documentId}') && name === 'assistantId'
        ? file.assistantId
        : idFor(chance, name as IdKind, ids);
  const draft: Draft = {
    template,
    method: method === 'GET' && chance.percent(5) ? 'HEAD' : method,
    path: template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameter(name))),
    query: call.parameters
      .filter((one) => one.in === 'query' && chance.percent(50))
      .map(({ name, schema }) => [name, String(chance.of(valuesOf(schema)))]),
    headers: {
      authorization: `Bearer ${call.security.some((need) => 'userKey' in need) ? chance.pick(keys.user) : keys.organization}`,
    },
  };
  for (const { name } of call.parameters.filter((one) => one.in === 'header' && chance.percent(30)))
    draft.headers[name.toLowerCase()] = headerFor(chance, name);
  const contents = call.requestBody?.content ?? {};
  const form = contents['multipart/form-data'];
  if (form && (!contents['application/json'] || chance.percent(15)))
    return { ...draft, form: formFor(chance, form.schema) };
  const json = contents['application/json'];
  if (json) draft.json = withLiveIds(chance.of(valuesOf(json.schema, inWords)), chance, ids);
  if (template.endsWith('/run') && !draft.headers['idempotency-key'] && chance.percent(15))
    draft.headers['accept'] = 'text/event-stream';
  return draft;
}

function headerFor(chance: Chance, name: string): string {
  switch (name) {
    case 'Idempotency-Key':
      return nobodysId(chance);
    case 'Range':
      return chance.pick([
        'bytes=0-10',
        'bytes=5-',
        'bytes=-7',
        'bytes=0-0',
        'bytes=99999999-',
        'bytes=0-1,3-4',
        'bytes=3-1',
        'lines=1-2',
      ]);
    default:
      return chance.pick(['*', '"k3JtRz0mQ1yWc8vB"', 'W/"k3JtRz0mQ1yWc8vB", "another"']);
  }
}

function formFor(chance: Chance, schema: Schema): FormPart[] {
  if (schema.properties?.['file']) return [{ name: 'file', ...chance.of(fileContents) }];
  const files = Array.from({ length: chance.below(3) }, () => ({
    name: 'files',
    ...chance.of(fileContents),
  }));
  return [
    { name: 'messages', content: Buffer.from(JSON.stringify(chance.of(conversations))) },
    ...files,
  ];
}

function withLiveIds(body: unknown, chance: Chance, ids: LiveIds): unknown {
  return Object(body).userId === undefined
    ? body
    : { ...Object(body), userId: idFor(chance, 'userId', ids) };
}

/** As it is written down for the wire. */
export function askOf({ method, path, query, headers, json, form }: Draft): Ask {
  const search = query
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
    )
    .join('&');
  const ask = { method, path: search ? `${path}?${search}` : path };
  if (form) {
    const { type, body } = formOf(form);
    return { ...ask, headers: { 'content-type': type, ...headers }, body };
  }
  if (json === undefined) return { ...ask, headers };
  return {
    ...ask,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(json)),
  };
}
