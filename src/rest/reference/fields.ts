import type { JsonSchema } from '../openapi/document.ts';
import { type Html, html, prose } from './html.ts';
import { boundsOf, isNullable, objectName, withoutNull } from './schema-text.ts';

type DocumentedField = { name: string; schema: JsonSchema; required: boolean; description: string };

/** A list of fields with their types and bounds. The fields of an unnamed object are nested. */
export const fieldList = (
  fields: readonly DocumentedField[],
  direction: 'request' | 'response',
): Html => html`<dl class="fields">${fields.map((field) => fieldItem(field, direction))}</dl>`;

export const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): DocumentedField[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description ?? '',
  }));

function fieldItem(
  { name, schema, required, description }: DocumentedField,
  direction: 'request' | 'response',
): Html {
  const present = withoutNull(schema);
  const nested = itemSchema(present).properties
    ? fieldList(fieldsOf(itemSchema(present)), direction)
    : '';
  const notes = [
    ...(direction === 'request' && required ? [html`<strong>required</strong>`] : []),
    ...boundsOf(present),
  ];
  return html`<div><dt><code>${name}</code> <span class="type">${typeOf(present)}${isNullable(schema) ? ' or null' : ''}</span>${notes.map((note) => html`<span class="note">${note}</span>`)}</dt><dd>${prose(description)}${nested}</dd></div>`;
}

const itemSchema = (schema: JsonSchema): JsonSchema =>
  schema.items ? itemSchema(withoutNull(schema.items)) : schema;

function typeOf(schema: JsonSchema): Html {
  const name = objectName(schema);
  if (name) return html`<a href="#object-${name}">${name}</a>`;
  if (schema.items) return html`array of ${typeOf(withoutNull(schema.items))}`;
  const type = [schema.type].flat().find((candidate) => candidate !== 'null');
  return html`${type ?? 'any value'}`;
}
