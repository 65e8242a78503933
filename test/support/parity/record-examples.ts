import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { toRest } from '../../../src/rest/enum-names.ts';
import { exampleId } from '../../../src/rest/openapi/example.ts';
import type {
  RecordedCall,
  RecordedErrors,
  RecordedExamples,
} from '../../../src/rest/openapi/recorded-examples.ts';
import { locationOf } from '../../../src/rest/variables.ts';
import { samplesOf } from './all-samples.ts';
import { type Call, calls, filesIn, routeOf, type Variables } from './calls.ts';
import { type ParityApp, parityApp, type Sender } from './fixtures.ts';
import type { StartSample } from './samples.ts';
import { uncausedErrorBodies } from './uncaused-errors.ts';

/**
 * Sends the first sample of a call and each of its refusals to the running application. The answers
 * become the examples of the call in OpenAPI. Ids, tokens and addresses differ between two runs, so
 * each is replaced by one that stays the same.
 */
async function recordCall(app: ParityApp, call: Call): Promise<RecordedCall> {
  const [sample] = samplesOf(call);
  if (!sample) throw new Error(`${call.name} has no sample`);
  const { sender, variables } = await sample.start(app);
  const answer = await send(app, call, { sender, variables });
  if (answer.status !== 200) throw new Error(`${call.name} answered ${answer.text}`);
  const errors: RecordedErrors = {};
  for (const { code, start } of sample.refusals) {
    const body = await refusal(app, call, start);
    if (!JSON.stringify(body).toUpperCase().includes(`"CODE":"${code}"`))
      throw new Error(`${call.name} answered ${JSON.stringify(body)} instead of ${code}`);
    errors[code] = body;
  }
  return {
    ...withSteadyNames({ variables: sentValues(call, variables), answer: bodyOf(answer) }, sender),
    ...(routeOf(call)?.subscription && { events: await events(app, call, sample.start) }),
    errors: { ...(await furtherErrors(app, call, sample.start)), ...errors },
  };
}

/** Records every call that OpenAPI documents. */
export async function recordExamples(): Promise<RecordedExamples & Record<string, unknown>> {
  const app = await parityApp();
  const recordings: [string, RecordedCall][] = [];
  try {
    for (const call of calls.filter(({ name }) => !name.startsWith('GET /files/')))
      recordings.push([call.name, await recordCall(app, call)]);
  } finally {
    await app.close();
  }
  const common = commonErrors(recordings);
  for (const [, { errors }] of recordings)
    for (const [code, body] of Object.entries(errors))
      if (isDeepStrictEqual(body, common[code])) delete errors[code];
  return {
    'x-generated': 'by npm run record:examples; do not edit',
    calls: Object.fromEntries(recordings),
    errors: { ...common, ...uncausedErrorBodies() },
  };
}

/** The most frequent body of each error. Those of the OpenAI endpoints have another form. */
function commonErrors(recordings: readonly [string, RecordedCall][]): RecordedErrors {
  const bodies = recordings
    .filter(([name]) => !name.includes('/api/openai/'))
    .flatMap(([, { errors }]) => Object.entries(errors));
  return Object.fromEntries(
    [...Map.groupBy(bodies, ([code]) => code)].map(([code, found]) => {
      const byText = Map.groupBy(found, ([, body]) => JSON.stringify(body));
      const [most] = [...byText.values()].toSorted((a, b) => b.length - a.length);
      return [code, most?.[0]?.[1]];
    }),
  );
}

type Answer = { status: number; type: string; text: string };

async function refusal(app: ParityApp, call: Call, start: StartSample, change: Change = {}) {
  const { sender, variables } = await start(app);
  await change.prepare?.(sender, variables);
  const values = { ...variables, ...change.variables };
  const answer = await send(app, call, { sender, variables: values }, change);
  return withSteadyNames(bodyOf(answer), sender);
}

async function events(app: ParityApp, call: Call, start: StartSample) {
  const { sender, variables } = await start(app);
  const accept = { accept: 'text/event-stream' };
  const { text } = await send(app, call, { sender, variables }, { headers: accept });
  const blocks = [...text.matchAll(/^(?:id: (.+)\n)?event: (.+)\ndata: (.+)$/gm)].map(
    ([, id, event = '', data = '']) => ({
      ...(id !== undefined && { id }),
      event,
      data: JSON.parse(data),
    }),
  );
  return withSteadyNames(blocks, sender);
}

type Change = {
  prepare?: (sender: Sender, variables: Variables) => Promise<unknown>;
  variables?: Variables;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
};

/** The errors that every call of its kind has. */
async function furtherErrors(
  app: ParityApp,
  call: Call,
  start: StartSample,
): Promise<RecordedErrors> {
  const route = routeOf(call);
  const changes: Record<string, Change> = {
    UNAUTHENTICATED: { headers: { authorization: '' } },
    RATE_LIMITED: { prepare: (sender) => app.useUp(sender) },
    METHOD_NOT_ALLOWED: { method: 'PURGE', body: '{}' },
  };
  if (route) {
    const at = (location: string) =>
      call.operation.variables.filter(({ name }) => locationOf({ route }, name) === location);
    const [path] = at('path');
    if (path) changes['NOT_FOUND'] = { variables: { [path.name]: 'unknown' } };
    const json = { 'content-type': 'application/json' };
    if (at('query').some(({ name }) => name === 'page'))
      changes['BAD_INPUT'] = { variables: { page: 0 } };
    if (at('body').length > 0 && !call.operation.takesFile) {
      changes['BAD_INPUT'] = { headers: json, body: '{"name": Spring}' };
      changes['UNSUPPORTED_MEDIA_TYPE'] = { headers: { 'content-type': 'text/plain' } };
      changes['PAYLOAD_TOO_LARGE'] = { headers: json, body: `{"name":"${' '.repeat(1_048_576)}"}` };
    }
    if (call.takesKey && at('body').some(({ name }) => name === 'name')) {
      const headers = { 'idempotency-key': 'once' };
      changes['IDEMPOTENCY_KEY_REUSED'] = {
        prepare: (sender, variables) => send(app, call, { sender, variables }, { headers }),
        variables: { name: 'Autumn' },
        headers,
      };
    }
    if (call.operation.returnsFile)
      changes['RANGE_NOT_SATISFIABLE'] = { headers: { range: 'bytes=1000000-' } };
    if (route.area.name !== 'Assistants')
      changes['FEATURE_DISABLED'] = { prepare: (sender) => app.withoutFeatures(sender) };
    if ('SEAT_LIMIT_REACHED' in route.definition.errors)
      changes['SEAT_LIMIT_REACHED'] = { prepare: (sender) => app.withoutSeats(sender) };
    if ('FORBIDDEN' in route.definition.errors && route.area.name === 'Assistant Files')
      changes['FORBIDDEN'] = { prepare: (sender) => app.withoutAccess(sender) };
  }
  const errors: RecordedErrors = {};
  for (const [code, change] of Object.entries(changes)) {
    const body = await refusal(app, call, start, change);
    if (code === Object(body).code) errors[code] = body;
  }
  return errors;
}

async function send(
  app: ParityApp,
  call: Call,
  { sender, variables }: { sender: Sender; variables: Variables },
  { method: changedMethod, headers: changedHeaders = {}, body: changedBody }: Change = {},
): Promise<Answer> {
  const { method, path, headers, body = null } = call.requestWith(variables);
  const response = await fetch(app.url + path, {
    method: changedMethod ?? method,
    headers: { ...sender.headers, ...headers, ...changedHeaders },
    body: changedBody ?? body,
  });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text: await response.text() };
}

const bodyOf = ({ type, text }: Answer): unknown =>
  type.startsWith('application/json') ? JSON.parse(text) : null;

/** The values as REST writes them, without files. */
const sentValues = ({ operation }: Call, variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables)
      .filter(([, value]) => filesIn(value).length === 0)
      .map(([name, value]) => {
        const type = operation.variables.find((variable) => variable.name === name)?.type;
        return [name, type ? toRest(type, value) : value];
      }),
  );

const steadyNames: Record<string, string> = {
  slug: 'analytical-engines',
  redeemer: 'grace@hopper.example',
};

/** Replaces everything that differs between two runs. */
function withSteadyNames<Value>(value: Value, { names }: Sender): Value {
  const known = Object.entries(names)
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce(
      (text, [id, name]) => text.replaceAll(id, steadyNames[name] ?? exampleId(name)),
      JSON.stringify(value).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://atrium.example'),
    );
  const found: string[] = [];
  const steady = (text: string, name: (index: number) => string) => {
    if (!found.includes(text)) found.push(text);
    return name(found.indexOf(text));
  };
  return JSON.parse(
    known
      .replaceAll(/\bWyJldmVudHMi[\w-]+/g, exampleFeedCursor)
      .replaceAll(/(?<=data-)[0-9a-f]{24}/g, '6b8499fae58b056750a20ed1')
      .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, exampleSignedText)
      .replaceAll(/\bwhsec_[\w+/]+=*/g, exampleWebhookSecret)
      .replaceAll(/\bwhpk_[\w+/]+=*/g, exampleWebhookKey)
      .replaceAll(auditHashes, (text) =>
        steady(text, (index) => createHash('sha256').update(`hash ${index}`).digest('hex')),
      )
      .replaceAll(/(?<=try again in )\d+(?= s)/g, '60')
      // A PDF has names of this run, some of which are longer when they are compressed.
      .replaceAll(/(?<=The file has )\d{5,}(?= bytes)/g, '16320')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) =>
        /^019bc0fd-89c0-/.test(id) ? id : steady(id, (index) => exampleId(`new ${index}`)),
      )
      .replaceAll(/(?<![\w])[0-9A-Za-z]{32}(?![\w])/g, (token) => steady(token, exampleToken))
      .replaceAll(/(?<="\\")[\w+/-]{22}(?=\\"")/g, (tag) =>
        steady(tag, (index) => exampleToken(index).slice(0, 22)),
      ),
  );
}

// The transaction and the position differ between two runs.
const exampleFeedCursor = Buffer.from('["events","6f1c2a0e","4711","12"]').toString('base64url');

// They cover ids, which differ between two runs.
const auditHashes = /(?<="(?:leafHash|root)":"|"path":\[(?:"[0-9a-f]{64}",)*")[0-9a-f]{64}/g;

const exampleWebhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwNQbTL8aWfkc=';
const exampleWebhookKey = 'whpk_CDPfdqMUzdvetrpaYrLC8SX9O3NCqNopTp7uOCzifnU=';

// The header of a real one; payload and signature differ between two runs.
const exampleSignedText = 'eyJhbGciOiJFZERTQSJ9.eyJydW5JZCI6IjAxOWJjMGZkIn0.c2lnbmF0dXJl';

const exampleToken = (index: number): string =>
  createHash('sha256')
    .update(`token ${index}`)
    .digest('base64url')
    .replaceAll(/[-_]/g, '')
    .slice(0, 32);

if (import.meta.main) {
  const file = new URL('../../../src/rest/openapi/examples.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(await recordExamples(), null, 2)}\n`);
}
