import { parseDocument } from 'yaml';
import { z } from 'zod';

export type Tree = unknown;

const place = /\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}/g;

/**
 * Reads YAML and puts in what the environment has for `${NAME}`, or `${NAME:-otherwise}` where it
 * may be absent. An empty value counts as absent.
 */
export function readConfigFile(
  source: string,
  variables: Readonly<Record<string, string | undefined>>,
): { tree: Tree; faults: string[] } {
  const document = parseDocument(source, { prettyErrors: false });
  const lines = (offset: number) => source.slice(0, offset).split('\n').length;
  const broken = document.errors.map(
    ({ pos, code }) =>
      `line ${lines(pos[0])}: not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
  );
  const faults = [...new Set(broken)];
  if (faults.length > 0) return { tree: {}, faults };

  const missing = (path: string, name: string) =>
    faults.push(`${path}: ${name} is not set in the environment`);
  const fill = (value: unknown, path: string): unknown => {
    if (value === null) return undefined;
    if (typeof value === 'string')
      return substitute(value, variables, (name) => missing(path, name));
    if (Array.isArray(value)) return value.map((item, index) => fill(item, `${path}.${index}`));
    if (typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        fill(inner, path ? `${path}.${key}` : key),
      ]),
    );
  };
  return { tree: fill(document.toJS({ maxAliasCount: 50 }), '') ?? {}, faults };
}

/** A value in which `${NAME}` stood, and what it came to. */
class Substituted {
  readonly text: string;
  /** Whether it came from the environment alone. */
  readonly whole: boolean;

  constructor(text: string, whole: boolean) {
    this.text = text;
    this.whole = whole;
  }
}

function substitute(
  value: string,
  variables: Readonly<Record<string, string | undefined>>,
  missing: (name: string) => void,
): unknown {
  let absent = false;
  let fallback = false;
  const text = value.replaceAll(
    place,
    (_, name: string, otherwise: string | undefined, usual: string | undefined) => {
      const given = variables[name] || undefined;
      if (given !== undefined) return given;
      if (otherwise === undefined) {
        absent = true;
        missing(name);
      }
      fallback ||= Boolean(usual);
      return usual ?? '';
    },
  );
  if (absent) return undefined;
  if (text === value) return value;
  const whole = !fallback && value.replaceAll(place, '') === '';
  return text === '' ? undefined : new Substituted(text, whole);
}

/**
 * Values from the environment are texts; these schemas read them as what the setting is. Values in
 * the file must be of the type itself.
 */
export const text = <T extends z.ZodType>(schema: T) => z.preprocess(plain, schema);

export const number = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) =>
      value instanceof Substituted && /^-?\d+(\.\d+)?$/.test(value.text)
        ? Number(value.text)
        : plain(value),
    schema,
  );

export const flag = () =>
  z.preprocess(
    (value) =>
      value instanceof Substituted && /^(true|false)$/.test(value.text)
        ? value.text === 'true'
        : plain(value),
    z.boolean(),
  );

/** A secret: the file names the variable that holds it, and never the secret itself. */
export const fromEnvironment = (schema: z.ZodType<string, string>) =>
  z
    .custom<Substituted>(
      (value) => value instanceof Substituted && value.whole,
      'is a secret: name here the variable of the environment that holds it',
    )
    .transform(({ text: value }) => value)
    .pipe(schema);

export const webAddress = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .refine((address) => !/^https?:\/\/[^/?#]*@/i.test(address), 'must hold no name and password');

const plain = (value: unknown) => (value instanceof Substituted ? value.text : value);
