import type { JsonSchema } from '../../../src/rest/openapi/document.ts';
import { type FormPart, formOf, formType } from '../../support/files.ts';
import { tableCalls } from '../../support/openapi.ts';
import { withCursorOf } from './cursors.ts';
import { fileContents } from './forms.ts';
import { fileFor, idFor, type LiveIds, unknownId } from './live-ids.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { HttpRequest } from './send.ts';
import type { FuzzTarget } from './target.ts';
import { hostLists, validConversations, valuesOf } from './values.ts';

/** A request before it is encoded, so that the fuzzer can break its parts. */
export type DraftRequest = {
  template: string;
  method: string;
  path: string;
  query: [name: string, value: string][];
  headers: Record<string, string | string[]>;
  json?: unknown;
  form?: FormPart[];
};

type TableCall = (typeof tableCalls)[number];
export type FuzzKeys = { organization: string; user: readonly string[]; wrong: readonly string[] };

export function fuzzKeys({ organizations: [own, other, plain] }: FuzzTarget): FuzzKeys {
  if (!own || !other || !plain) throw new Error('three organizations are needed');
  return {
    organization: own.organizationKey,
    user: own.users.slice(0, 2).map(({ userKey }) => userKey),
    wrong: [
      plain.organizationKey,
      other.organizationKey,
      other.users[0]?.userKey ?? '',
      `${own.organizationKey.slice(0, -1)}x`,
      'sk_svc_',
      'null',
    ],
  };
}

// Deletions are three times rarer than other calls, so that objects remain.
const weightedCalls = tableCalls.flatMap((call) =>
  call.method === 'DELETE' ? [call] : [call, call, call],
);

const byProperty = { messages: validConversations, allowedEmailDomains: hostLists };

/** A request that the OpenAPI document allows, to one of the calls. */
export function validDraft(
  random: SeededRandom,
  ids: LiveIds,
  keys: FuzzKeys,
  calls: readonly TableCall[] = weightedCalls,
): DraftRequest {
  const { template, method, call } = random.pick(calls);
  const file = fileFor(random, ids);
  const parameter = (name: string): string => {
    if (name === 'documentId') return file.documentId;
    if (name === 'assistantId' && template.includes('{documentId}')) return file.assistantId;
    const schema = call.parameters.find((declared) => declared.name === name)?.schema;
    return schema?.pattern === undefined
      ? idFor(random, name, ids)
      : String(random.sample(valuesOf(schema)));
  };
  const draft: DraftRequest = {
    template,
    method: method === 'GET' && random.percent(5) ? 'HEAD' : method,
    path: template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameter(name))),
    query: withoutPageOfRows(
      withCursorOf(
        template,
        call.parameters
          .filter((declared) => declared.in === 'query' && random.percent(50))
          // Nothing may happen meanwhile, so a request waits for a second at most.
          .map(({ name, schema }) => [
            name,
            String(name === 'wait' ? random.below(2) : random.sample(valuesOf(schema))),
          ]),
        ids.cursors,
      ),
    ),
    headers: {
      authorization: `Bearer ${call.security.some((scheme) => 'userKey' in scheme) ? random.pick(keys.user) : keys.organization}`,
    },
  };
  for (const { name } of call.parameters.filter(
    (declared) => declared.in === 'header' && random.percent(30),
  ))
    draft.headers[name.toLowerCase()] = headerFor(random, name);
  const contents = call.requestBody?.content ?? {};
  const form = contents['multipart/form-data'];
  if (form && (!contents['application/json'] || random.percent(15)))
    return { ...draft, form: formFor(random, form.schema) };
  const json = contents['application/json'];
  if (json) draft.json = withLiveIds(random.sample(valuesOf(json.schema, byProperty)), random, ids);
  // Only somebody with an account of another organization can be added.
  if (template.endsWith('/users/add') && random.percent(60))
    draft.json = { email: random.pick(ids.foreignEmails) };
  // A conversation belongs to one person and one assistant, so most of them do not fit.
  if (template.endsWith('/run') && random.percent(85))
    draft.json = { ...Object(draft.json), conversationId: null, parentMessageId: null };
  if (template.endsWith('/run') && !draft.headers['idempotency-key'] && random.percent(15))
    draft.headers['accept'] = 'text/event-stream';
  return draft;
}

/**
 * The document says in words that csv and ndjson have all rows and no pages, because OpenAPI cannot
 * express it.
 */
function withoutPageOfRows(query: DraftRequest['query']): DraftRequest['query'] {
  const hasRows = query.some(([name, value]) => name === 'format' && value !== 'json');
  return hasRows ? query.filter(([name]) => !pageParameters.has(name)) : query;
}

const pageParameters = new Set(['page', 'pageSize', 'after', 'before', 'limit', 'updatedSince']);

function headerFor(random: SeededRandom, name: string): string {
  switch (name) {
    case 'Idempotency-Key':
      return unknownId(random);
    case 'Last-Event-ID':
      return String(random.below(100));
    case 'Range':
      return random.pick([
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
      return random.pick(['*', '"k3JtRz0mQ1yWc8vB"', 'W/"k3JtRz0mQ1yWc8vB", "another"']);
  }
}

function formFor(random: SeededRandom, schema: JsonSchema): FormPart[] {
  if (schema.properties?.['file']) return [{ name: 'file', ...random.sample(fileContents) }];
  const files = Array.from({ length: random.below(3) }, () => ({
    name: 'files',
    ...random.sample(fileContents),
  }));
  return [
    { name: 'messages', content: Buffer.from(JSON.stringify(random.sample(validConversations))) },
    ...files,
  ];
}

function withLiveIds(body: unknown, random: SeededRandom, ids: LiveIds): unknown {
  const { userId, redemptions, url, ...rest } = Object(body);
  return {
    ...rest,
    ...(url === undefined ? {} : { url: ids.receiverUrl }),
    ...(userId === undefined ? {} : { userId: idFor(random, 'userId', ids) }),
    ...(redemptions === undefined
      ? {}
      : {
          redemptions: redemptions.map((item: object) => ({
            ...item,
            redemptionId: idFor(random, 'redemptionId', ids),
          })),
        }),
  };
}

/** Encodes the request. */
export function toHttpRequest({
  method,
  path,
  query,
  headers,
  json,
  form,
}: DraftRequest): HttpRequest {
  const search = query
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
    )
    .join('&');
  const request = { method, path: search ? `${path}?${search}` : path };
  if (form)
    return { ...request, headers: { 'content-type': formType, ...headers }, body: formOf(form) };
  if (json === undefined) return { ...request, headers };
  return {
    ...request,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(json)),
  };
}
