import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiReference,
  OpenApiResponse,
} from '../../src/rest/openapi/document.ts';

type ResponseToCheck = { status: number; headers: Headers; body: unknown };

/** The committed document, not one computed from the current sources. */
export const committedDocument: OpenApiDocument = JSON.parse(
  readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8'),
);

/** The documented calls of the table of calls, with every schema in the place of its name. */
export const tableCalls = Object.entries(committedDocument.paths)
  .filter(([, methods]) => Object.values(methods).every(({ servers }) => servers === undefined))
  .filter(([path]) => !path.startsWith('/api/openai/'))
  .flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, call]) => ({
        template,
        method: method.toUpperCase(),
        call: withSchemasInPlace(call),
      })),
  );

function withSchemasInPlace<Node>(node: Node): Node {
  return JSON.parse(JSON.stringify(node), (_, value) => {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(Object(value).$ref)?.[1];
    if (name === undefined) return value;
    const { $ref, ...more } = value;
    return { ...withSchemasInPlace(committedDocument.components.schemas[name]), ...more };
  });
}

/** Throws if a response contradicts the document. */
export function expectDocumented(answer: ResponseToCheck, method: string, path: string): void {
  const faults = faultsOfAnswer(answer, method, path);
  if (faults.length > 0)
    throw new Error(`${method} ${path} answered ${answer.status}: ${faults.join('; ')}`);
}

/**
 * The contradictions between a response and the document: an undocumented status, an invalid body
 * or missing headers. `path` is a real path or a template. A path or method that is not in the
 * document must get 404 or 405.
 */
export function faultsOfAnswer(
  { status, headers, body }: ResponseToCheck,
  method: string,
  path: string,
): string[] {
  const call = callAt(method, path);
  if (!call) {
    // The key and the rate limit are checked first, also for unknown paths.
    const refused = [401, 404, 405, 429].includes(status);
    return [
      ...(refused ? [] : ['it is not in the document, so it must be refused']),
      ...(method === 'HEAD' ? [] : faultsOf(errorSchema, body)),
    ];
  }
  const reference = call.responses[status];
  if (!reference) return ['the document does not know this status'];
  const answer = resolve(reference, committedDocument.components.responses);
  const json = answer.content?.['application/json'];
  const type = headers.get('content-type');
  return [
    ...(json && type !== 'application/json; charset=utf-8' ? [`its type is ${type}`] : []),
    ...(json && method !== 'HEAD' ? faultsOf(json.schema, body) : []),
    ...headerFaultsOf(answer, headers),
  ];
}

const errorSchema: JsonSchema = { $ref: '#/components/schemas/ErrorBody' };

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv, ['date', 'date-time', 'email', 'int32', 'binary']);
// References point to the document's components, so each schema includes them.
ajv.addKeyword('components');
// Each schema of the union tells by itself which value it fits.
ajv.addKeyword('discriminator');
const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** The errors of a value against a schema of the document. */
export function faultsOf(
  schema: JsonSchema,
  value: unknown,
  { components }: Pick<OpenApiDocument, 'components'> = committedDocument,
): string[] {
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components });
  validators.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Resolves a reference, or returns the object itself. */
export function resolve<T extends object>(
  reference: T | OpenApiReference,
  components: Readonly<Record<string, T>>,
): T {
  if (!isReference(reference)) return reference;
  const target = components[reference.$ref.split('/').at(-1) ?? ''];
  if (!target) throw new Error(`${reference.$ref} leads nowhere`);
  return target;
}

const isReference = (reference: object): reference is OpenApiReference => '$ref' in reference;

function callAt(method: string, path: string): OpenApiOperation | undefined {
  const segments = segmentsOf(path);
  const fitting = Object.keys(committedDocument.paths).filter((template) => {
    const parts = segmentsOf(template);
    return (
      parts.length === segments.length &&
      parts.every((part, index) =>
        part.startsWith('{') ? segments[index] !== '' : part === segments[index],
      )
    );
  });
  const [template = ''] = fitting
    .toSorted((a, b) => parametersIn(a) - parametersIn(b))
    .filter((candidate) => methodKey(method) in (committedDocument.paths[candidate] ?? {}));
  return committedDocument.paths[template]?.[methodKey(method)];
}

// A trailing slash is ignored in paths and templates.
const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/');
const methodKey = (method: string) => (method === 'HEAD' ? 'get' : method.toLowerCase());
const parametersIn = (template: string) => template.split('{').length;

function headerFaultsOf(answer: OpenApiResponse, headers: Headers): string[] {
  return Object.entries(answer.headers).flatMap(([name, reference]) => {
    const { schema, required } = resolve(reference, committedDocument.components.headers);
    const text = headers.get(name);
    if (text === null) return required ? [`${name} is missing`] : [];
    return faultsOf(schema, schema.type === 'integer' ? Number(text) : text).map(
      (fault) => `${name} ${fault}`,
    );
  });
}
