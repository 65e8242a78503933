import type { Schema } from '../openapi/document.ts';
import { type Html, html } from './html.ts';
import { boundsOf, isNullable, objectName, withoutNull } from './words.ts';

type Field = { name: string; schema: Schema; required: boolean; description: string };

/**
 * A list of named values with their types and bounds; the fields of an object without a name follow
 * inside.
 */
export const fieldList = (fields: readonly Field[], direction: 'asked' | 'answered'): Html =>
  html`<dl class="fields">${fields.map((field) => fieldItem(field, direction))}</dl>`;

export const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description ?? '',
  }));

function fieldItem(
  { name, schema, required, description }: Field,
  direction: 'asked' | 'answered',
): Html {
  const present = withoutNull(schema);
  const nested = innermost(present).properties
    ? fieldList(fieldsOf(innermost(present)), direction)
    : '';
  const notes = [
    ...(direction === 'asked' && required ? [html`<strong>required</strong>`] : []),
    ...boundsOf(present),
  ];
  return html`<div><dt><code>${name}</code> <span class="type">${typeOf(present)}${isNullable(schema) ? ' or null' : ''}</span>${notes.map((note) => html`<span class="note">${note}</span>`)}</dt><dd>${description}${nested}</dd></div>`;
}

const innermost = (schema: Schema): Schema =>
  schema.items ? innermost(withoutNull(schema.items)) : schema;

function typeOf(schema: Schema): Html {
  const name = objectName(schema);
  if (name) return html`<a href="#object-${name}">${name}</a>`;
  if (schema.items) return html`array of ${typeOf(withoutNull(schema.items))}`;
  const type = [schema.type].flat().find((candidate) => candidate !== 'null');
  return html`${type ?? 'any value'}`;
}
