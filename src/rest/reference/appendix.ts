import type { OpenApiDocument, Schema, SecurityScheme } from '../openapi/document.ts';
import { fieldList, fieldsOf } from './fields.ts';
import { type Html, html, paragraph } from './html.ts';
import { spaced } from './words.ts';

/** What several calls have in common: the keys, the headers of answers, the objects with a name. */
export function appendix({ components }: OpenApiDocument): Html {
  const headers = Object.entries(components.headers).map(([name, header]) => ({ name, ...header }));
  return html`
<section class="prose"><h2 id="keys">Keys</h2>${Object.entries(components.securitySchemes).map(key)}</section>
<section class="prose"><h2 id="headers">Headers of answers</h2>${fieldList(headers, 'answered')}</section>
<section class="prose"><h2 id="objects">Objects</h2>${Object.entries(components.schemas).map(object)}</section>`;
}

const key = ([name, { bearerFormat, description }]: [string, SecurityScheme]): Html => html`
<h3 id="key-${name}"><a href="#key-${name}">${spaced(name)}</a></h3>
<p><code>Authorization: Bearer ${bearerFormat}</code></p>
${paragraph(description)}`;

const object = ([name, schema]: [string, Schema]): Html => html`
<h3 id="object-${name}"><a href="#object-${name}">${name}</a></h3>
${fieldList(fieldsOf(schema), 'answered')}`;
