import { type OutputUnit, Validator } from '@cfworker/json-schema';
import type { OutputSchema } from './output-schema.ts';

export type CheckRequest = { schema: OutputSchema; value: unknown };

const faultsMax = 10;
const faultCharactersMax = 300;

// Beside a fault, the validator reports the schemas around it, and that `false` allows nothing.
const uninformative =
  /^(A subschema had errors\.|Items did not match schema\.|False boolean schema\.|Property "[^"]{0,200}" does not match schema\.)$/;

/**
 * Tells how a value violates a schema; an empty list means that it is valid. The time depends on
 * the schema and has no bound, so only the worker thread calls this.
 */
export function findFaults(schema: OutputSchema, value: unknown): string[] {
  const { valid, errors } = new Validator(schema, '2020-12', false).validate(value);
  if (valid) return [];
  const faults = errors.filter(({ error }) => !uninformative.test(error));
  return (faults.length > 0 ? faults : errors).slice(0, faultsMax).map(toSentence);
}

const toSentence = ({ instanceLocation, error }: OutputUnit): string =>
  `${instanceLocation}: ${error}`.slice(0, faultCharactersMax);
