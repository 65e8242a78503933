import { InputFault } from '../../../platform/input-fault.ts';
import { jsonKindOf } from '../../../platform/parse-json.ts';
import { inPlaceKeywords, type KeywordKind, schemaKeywords } from './schema-keywords.ts';
import {
  fault,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  pointerOf,
  requirePattern,
  requireValue,
} from './schema-values.ts';

/** A JSON schema that was checked: bounded, and without references to anything outside of it. */
export type OutputSchema = boolean | Readonly<Record<string, unknown>>;

export const schemaLimits = {
  bytes: 65_536,
  levels: 32,
  keywords: 5_000,
} as const;

type Reference = { from: JsonObject; pointer: string; path: string };

export const isOutputSchema = (value: unknown): value is OutputSchema =>
  typeof value === 'boolean' || isObject(value);

/**
 * Checks a schema from outside before any part of it is used. The fault names the keyword that is
 * wrong. A schema whose references lead back to itself for the same value is refused: checking a
 * value with it would not end.
 */
export function requireOutputSchema(value: unknown): asserts value is OutputSchema {
  new SchemaCheck(value).run();
}

class SchemaCheck {
  readonly #root: unknown;
  readonly #references: Reference[] = [];
  /** Every schema, with the schemas that apply to the same value. */
  readonly #inPlace = new Map<unknown, unknown[]>();
  #keywords = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  run(): void {
    const root = this.#root;
    if (!isOutputSchema(root))
      throw fault('', `must be a JSON schema, not ${jsonKindOf(root)}`, root);
    requireLevels(root, schemaLimits.levels);
    const bytes = Buffer.byteLength(JSON.stringify(root));
    if (bytes > schemaLimits.bytes)
      throw new InputFault(
        'TOO_LONG',
        `must have at most ${schemaLimits.bytes} bytes as JSON, but has ${bytes}`,
      );
    this.#schema(root, '');
    for (const reference of this.#references) this.#resolve(reference);
    requireAcyclic(this.#inPlace);
  }

  #schema(schema: unknown, path: string): void {
    if (typeof schema === 'boolean') return;
    if (!isObject(schema)) throw fault(path, 'must be a schema: an object or a boolean', schema);
    const inPlace: unknown[] = [];
    this.#inPlace.set(schema, inPlace);
    for (const [keyword, value] of Object.entries(schema)) {
      this.#keywords += 1;
      if (this.#keywords > schemaLimits.keywords)
        throw new InputFault('TOO_LONG', `must have at most ${schemaLimits.keywords} keywords`);
      const kind = schemaKeywords.get(keyword);
      const keywordPath = `${path}.${keyword.slice(0, 100)}`;
      if (!kind)
        throw new InputFault('UNKNOWN_FIELD', 'is not a keyword that is supported', keywordPath);
      const subschemas = this.#keyword(kind, value, keywordPath, schema);
      if (inPlaceKeywords.has(keyword)) inPlace.push(...subschemas);
    }
  }

  /** Checks the value of a keyword and returns the schemas in it. */
  #keyword(kind: KeywordKind, value: unknown, path: string, schema: JsonObject): unknown[] {
    if (kind === 'reference') this.#references.push({ from: schema, ...pointerOf(value, path) });
    else if (kind === 'schema') return this.#all([[path, value]]);
    else if (kind === 'schemas')
      return this.#all(listOf(value, path).map((item, index) => [`${path}[${index}]`, item]));
    else if (kind === 'schemasByName' || kind === 'schemasByPattern') {
      const named = Object.entries(objectOf(value, path));
      if (kind === 'schemasByPattern') for (const [pattern] of named) requirePattern(pattern, path);
      return this.#all(named.map(([name, item]) => [`${path}.${name.slice(0, 100)}`, item]));
    } else requireValue(kind, value, path);
    return [];
  }

  #all(schemas: [path: string, schema: unknown][]): unknown[] {
    return schemas.map(([path, schema]) => {
      this.#schema(schema, path);
      return schema;
    });
  }

  #resolve({ from, pointer, path }: Reference): void {
    let target: unknown = this.#root;
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      target =
        typeof target === 'object' && target !== null && Object.hasOwn(target, name)
          ? Reflect.get(target, name)
          : undefined;
    }
    if (typeof target !== 'boolean' && !this.#inPlace.has(target))
      throw new InputFault('INVALID', 'must point to a schema inside of this schema', path);
    this.#inPlace.get(from)?.push(target);
  }
}

function requireLevels(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0)
    throw new InputFault(
      'INVALID',
      `must not be nested more than ${schemaLimits.levels} levels deep`,
    );
  for (const item of Object.values(value)) requireLevels(item, levels - 1);
}

/** Throws if a schema applies to a value because it applies to the value. */
function requireAcyclic(inPlace: ReadonlyMap<unknown, readonly unknown[]>): void {
  const isDone = new Map<unknown, boolean>();
  const visit = (schema: unknown) => {
    if (isDone.get(schema) === true) return;
    if (isDone.has(schema))
      throw new InputFault(
        'INVALID',
        'has a $ref that leads back to itself without a property or an item in between',
      );
    isDone.set(schema, false);
    for (const next of inPlace.get(schema) ?? []) visit(next);
    isDone.set(schema, true);
  };
  for (const schema of inPlace.keys()) visit(schema);
}
