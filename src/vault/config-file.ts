import { parseDocument } from 'yaml';
import { z } from 'zod';

export type ConfigTree = unknown;

const placeholder = /\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}/g;

/**
 * Parses YAML and replaces `${NAME}` by that variable of the environment. `${NAME:-fallback}` gives a
 * fallback for a variable that is not set. An empty variable counts as not set.
 */
export function readConfigFile(
  source: string,
  variables: Readonly<Record<string, string | undefined>>,
): { tree: ConfigTree; faults: string[] } {
  const document = parseDocument(source, { prettyErrors: false });
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  const syntaxFaults = document.errors.map(
    ({ pos, code }) =>
      `line ${lineAt(pos[0])}: not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
  );
  const faults = [...new Set(syntaxFaults)];
  if (faults.length > 0) return { tree: {}, faults };

  const missing = (path: string, name: string) =>
    faults.push(`${path}: ${name} is not set in the environment`);
  const substituteAll = (value: unknown, path: string): unknown => {
    if (value === null) return undefined;
    if (typeof value === 'string')
      return substitute(value, variables, (name) => missing(path, name));
    if (Array.isArray(value))
      return value.map((item, index) => substituteAll(item, `${path}.${index}`));
    if (typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        substituteAll(child, path ? `${path}.${key}` : key),
      ]),
    );
  };
  return { tree: substituteAll(document.toJS({ maxAliasCount: 50 }), '') ?? {}, faults };
}

/** The result of replacing `${NAME}` in a value. */
class Substituted {
  readonly text: string;
  /** The part of the text that was written in the file itself. */
  readonly written: string;

  constructor(text: string, written: string) {
    this.text = text;
    this.written = written;
  }
}

function substitute(
  value: string,
  variables: Readonly<Record<string, string | undefined>>,
  missing: (name: string) => void,
): unknown {
  let isMissing = false;
  const text = value.replaceAll(
    placeholder,
    (_, name: string, fallbackPart: string | undefined, fallback: string | undefined) => {
      const fromVariable = variables[name] || undefined;
      if (fromVariable !== undefined) return fromVariable;
      if (fallbackPart === undefined) {
        isMissing = true;
        missing(name);
      }
      return fallback ?? '';
    },
  );
  if (isMissing) return undefined;
  if (text === value) return value;
  const written = value.replaceAll(
    placeholder,
    (_, name: string, __, fallback: string | undefined) =>
      variables[name] ? '' : (fallback ?? ''),
  );
  return text === '' ? undefined : new Substituted(text, written);
}

/**
 * Variables of the environment are strings; these schemas convert them to the type of the setting.
 * Values that are written in the file must already have that type.
 */
export const text = <T extends z.ZodType>(schema: T) => z.preprocess(textOf, schema);

export const number = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) =>
      value instanceof Substituted && /^-?\d+(\.\d+)?$/.test(value.text)
        ? Number(value.text)
        : textOf(value),
    schema,
  );

export const flag = () =>
  z.preprocess(
    (value) =>
      value instanceof Substituted && /^(true|false)$/.test(value.text)
        ? value.text === 'true'
        : textOf(value),
    z.boolean(),
  );

/** A secret: the file contains the name of the variable that holds it, never the secret itself. */
export const fromEnvironment = (schema: z.ZodType<string, string>) =>
  z
    .custom<Substituted>(
      (value) => value instanceof Substituted && value.written === '',
      'is a secret: name here the variable of the environment that holds it',
    )
    .transform(({ text: value }) => value)
    .pipe(schema);

export const webAddress = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .refine((address) => !/^https?:\/\/[^/?#]*@/i.test(address), 'must hold no name and password');

/** The part of a text that was written in the file itself, not in the environment. */
export const writtenIn = (value: unknown): string =>
  value instanceof Substituted ? value.written : String(value ?? '');

const textOf = (value: unknown) => (value instanceof Substituted ? value.text : value);
