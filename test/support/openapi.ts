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

type Documented = { status: number; headers: Headers; body: unknown };

/** The committed document: what was promised, not what would be computed now. */
export const committedDocument: OpenApiDocument = JSON.parse(
  readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8'),
);

/** Throws unless an answer is as the document says. */
export function expectDocumented(answer: Documented, method: string, path: string): void {
  const faults = faultsOfAnswer(answer, method, path);
  if (faults.length > 0)
    throw new Error(`${method} ${path} answered ${answer.status}: ${faults.join('; ')}`);
}

/**
 * What an answer breaks of the document: its status is among those of the call, its body fits, its
 * headers are there. `path` is a real path or a template. A path or method that the document does
 * not know must be 404 or 405.
 */
export function faultsOfAnswer(
  { status, headers, body }: Documented,
  method: string,
  path: string,
): string[] {
  const call = callAt(method, path);
  if (!call) {
    // The key and its limit come first, also where no call is served.
    const refused = [401, 404, 405, 429].includes(status);
    return [
      ...(refused ? [] : ['it is not in the document, so it must be refused']),
      ...(method === 'HEAD' ? [] : faultsOf(errorSchema, body)),
    ];
  }
  const place = call.responses[status];
  if (!place) return ['the document does not know this status'];
  const answer = resolve(place, committedDocument.components.responses);
  const json = answer.content?.['application/json'];
  const type = headers.get('content-type');
  return [
    ...(json && type !== 'application/json; charset=utf-8' ? [`its type is ${type}`] : []),
    ...(json && method !== 'HEAD' ? faultsOf(json.schema, body) : []),
    ...headerFaultsOf(answer, headers),
  ];
}

const errorSchema: JsonSchema = { $ref: '#/components/schemas/Error' };

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv, ['date-time', 'email', 'int32']);
// References lead into the document's components, so each schema takes them along.
ajv.addKeyword('components');
const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** What a value breaks of a schema that stands in a document. */
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

/** What stands where a reference leads, or stands here already. */
export function resolve<T extends object>(
  place: T | OpenApiReference,
  components: Readonly<Record<string, T>>,
): T {
  if (!isReference(place)) return place;
  const target = components[place.$ref.split('/').at(-1) ?? ''];
  if (!target) throw new Error(`${place.$ref} leads nowhere`);
  return target;
}

const isReference = (place: object): place is OpenApiReference => '$ref' in place;

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
    .filter((candidate) => wanted(method) in (committedDocument.paths[candidate] ?? {}));
  return committedDocument.paths[template]?.[wanted(method)];
}

// One slash at the end changes nothing, in a path or in its template.
const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/');
const wanted = (method: string) => (method === 'HEAD' ? 'get' : method.toLowerCase());
const parametersIn = (template: string) => template.split('{').length;

function headerFaultsOf(answer: OpenApiResponse, headers: Headers): string[] {
  return Object.entries(answer.headers).flatMap(([name, place]) => {
    const { schema, required } = resolve(place, committedDocument.components.headers);
    const text = headers.get(name);
    if (text === null) return required ? [`${name} is missing`] : [];
    return faultsOf(schema, schema.type === 'integer' ? Number(text) : text).map(
      (fault) => `${name} ${fault}`,
    );
  });
}
