import { execute, type GraphQLError, print } from 'graphql';
import { Download } from '../../../src/graph/schema/download.ts';
import { toClientError } from '../../../src/http/client-error.ts';
import { Upload } from '../../../src/http/upload.ts';
import type { FieldError } from '../../../src/platform/errors.ts';
import { schema } from '../../../src/schema.ts';
import { bodyText } from './body-text.ts';
import { type Call, executor, filesIn, graphVariables, type Variables } from './calls.ts';
import type { ParityApp, Sender } from './fixtures.ts';

export type Outcome = { body: string } | { error: ParityError };
/** What all ways must have in common about an error. */
type ParityError = { code: string; message: string; errors: readonly FieldError[] };

export type SampleRequest = { app: ParityApp; call: Call; sender: Sender; variables: Variables };

type CallAnswer = {
  status: number;
  outcome: Outcome;
  replayed: string | null;
  appliedPreference: string | null;
};

/** Sends the call itself. */
export async function sendCall(
  { app, call, sender, variables }: SampleRequest,
  moreHeaders: Record<string, string> = {},
): Promise<CallAnswer> {
  const { method, path, headers, body = null } = call.requestWith(variables);
  const response = await fetch(app.url + path, {
    method,
    headers: { ...sender.headers, ...headers, ...moreHeaders },
    body,
  });
  return {
    status: response.status,
    outcome: await restOutcome(response),
    replayed: response.headers.get('idempotency-replayed'),
    appliedPreference: response.headers.get('preference-applied'),
  };
}

export async function restOutcome(response: Response): Promise<Outcome> {
  const text = await bodyText(await response.bytes());
  return response.ok ? { body: text } : { error: restError(text) };
}

/** Errors of the OpenAI endpoints have the form that OpenAI's clients expect. */
function restError(text: string): ParityError {
  const { error, code, message, errors } = JSON.parse(text);
  if (error) return { code: error.code.toUpperCase(), message: error.message, errors: [] };
  return { code, message, errors: errors ?? [] };
}

/** Sends the operation of the call to /graphql. */
export async function sendOperation(
  { app, call, sender, variables }: SampleRequest,
  moreHeaders: Record<string, string> = {},
): Promise<{ outcome: Outcome; replayed: string | null }> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    ...graphRequest(
      {
        query: print(call.operation.document),
        variables: graphVariables(call, variables),
      },
      {
        ...sender.headers,
        accept: 'application/json',
        ...moreHeaders,
      },
    ),
  });
  const { data, errors } = JSON.parse(await response.text());
  const replayed = response.headers.get('idempotency-replayed');
  if (errors) return { outcome: graphOutcome({ errors }), replayed };
  const body = call.operation.returnsFile
    ? await bodyText(
        await (await fetch(app.url + Object.values(data)[0], { headers: sender.headers })).bytes(),
      )
    : JSON.stringify(call.bodyFor(data, { variables, at: app.contextParts.clock() }));
  return { outcome: { body }, replayed };
}

/** GraphQL has an error for each invalid value, of which REST joins the messages. */
export const graphOutcome = ({
  errors,
}: {
  errors: readonly [GraphFault, ...GraphFault[]];
}): Outcome => ({
  error: {
    code: errors[0].extensions.code,
    message: errors.map(({ message }) => message).join('; '),
    errors: errors
      .flatMap(({ extensions }) => extensions.errors ?? [])
      .map(({ path, ...fault }) => ({ field: fieldAt(path), ...fault })),
  },
});
type GraphFault = {
  message: string;
  extensions: {
    code: string;
    errors?: (Omit<FieldError, 'field'> & { path: (string | number)[] })[];
  };
};

/** The field of REST; GraphQL passes the fields of mutations in the argument `input`. */
const fieldAt = (path: readonly (string | number)[]): string =>
  path
    .slice(path[0] === 'input' ? 1 : 0)
    .reduce<string>(
      (field, key) =>
        typeof key === 'number' ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`,
      '',
    );

/** A JSON body, or a form if a variable is a file. */
export function graphRequest(
  { query, variables }: { query: string; variables: Variables },
  headers: Record<string, string>,
): { headers: Record<string, string>; body: string | FormData } {
  const files = Object.entries(variables).flatMap(([name, value]) =>
    filesIn(value).map((file, at) => ({
      file,
      path: `variables.${name}${Array.isArray(value) ? `.${at}` : ''}`,
    })),
  );
  const withoutFiles = JSON.stringify({ query, variables }, (_, value) =>
    value instanceof File ? null : value,
  );
  if (files.length === 0)
    return { headers: { ...headers, 'content-type': 'application/json' }, body: withoutFiles };
  const form = new FormData();
  form.set('operations', withoutFiles);
  form.set('map', JSON.stringify(Object.fromEntries(files.map(({ path }, at) => [at, [path]]))));
  for (const [at, { file }] of files.entries()) form.set(String(at), file);
  return { headers: { ...headers, 'x-requested-with': 'test' }, body: form };
}

/** Executes the operation as the call does: by compiled code. */
export async function executeCompiled(request: SampleRequest): Promise<Outcome> {
  const { app, call, sender, variables } = request;
  const { document } = call.operation;
  if (!executor.isCompiled(document)) throw new Error(`${call.name} is not compiled`);
  const result = await executor.execute({
    document,
    context: app.contextOf(sender),
    variables: withUploads(graphVariables(call, variables)),
  });
  return outcomeOf(result, request);
}

/** Executes the operation by GraphQL.js. */
export async function executePlainly(request: SampleRequest): Promise<Outcome> {
  const { app, call, sender, variables } = request;
  const result = await execute({
    schema,
    document: call.operation.document,
    contextValue: app.contextOf(sender),
    variableValues: withUploads(graphVariables(call, variables)),
  });
  return outcomeOf(result, request);
}

type Result = {
  data?: Variables | null | undefined;
  errors?: readonly GraphQLError[] | undefined;
};

export async function outcomeOf(
  { data, errors }: Result,
  { app, call, variables }: SampleRequest,
): Promise<Outcome> {
  if (errors?.[0] || !data) {
    const {
      code,
      message,
      errors: faults = [],
    } = toClientError(errors?.[0], {
      requestId: 'parity',
      log: app.contextParts.log,
    });
    return { error: { code, message, errors: faults } };
  }
  const download = Object.values(data).find((value) => value instanceof Download);
  if (!download)
    return {
      body: JSON.stringify(call.bodyFor(data, { variables, at: app.contextParts.clock() })),
    };
  const chunks: Buffer[] = [];
  for await (const chunk of await download.open()) chunks.push(chunk);
  return { body: await bodyText(Buffer.concat(chunks)) };
}

export const withUploads = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const uploads = filesIn(value).map(toUpload);
      return [name, uploads.length === 0 ? value : Array.isArray(value) ? uploads : uploads[0]];
    }),
  );

function toUpload(file: File): Upload {
  async function* content() {
    yield await file.bytes();
  }
  return new Upload(async () => ({ name: file.name, mimeType: file.type, content: content() }));
}

// Cursors of the event feed, ids, hashes of the audit log, tokens of links, entity tags, signed texts,
// and the marks around quoted passages.
const newNames =
  /\bWyJldmVudHMi[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b[0-9A-Za-z]{32}\b|(?<="\\")[\w+/]{22}(?=\\"")|(?<=data-)[0-9a-f]{24}|\bwh(?:sec|pk)_[\w+/]+=*|(?<="(?:leafHash|root)":"|"path":\[(?:"[0-9a-f]{64}",)*")[0-9a-f]{64}/g;

/**
 * Replaces what differs between two fixtures: the known ids and names by what they stand for, and
 * new ids and tokens by their order.
 */
export function normalizeText(text: string, { names }: Sender): string {
  const found: string[] = [];
  const numbered = (id: string) => {
    if (!found.includes(id)) found.push(id);
    return `<${found.indexOf(id)}>`;
  };
  return Object.entries(names)
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((replaced, [id, name]) => replaced.replaceAll(id, `<${name}>`), text)
    .replaceAll(newNames, numbered);
}

/**
 * The outcome without the differences of fixtures. `$name` of GraphQL is `name` in REST, and the
 * messages of a run have a form of their own in each.
 */
export function normalize(outcome: Outcome, sender: Sender): unknown {
  if ('body' in outcome) return normalizeText(outcome.body, sender);
  const text = normalizeText(JSON.stringify(outcome.error), sender);
  return JSON.parse(text.replaceAll(/\$(\w+)/g, '$1').replaceAll(' {role, content}', ''));
}
