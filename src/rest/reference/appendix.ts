import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  SecurityScheme,
} from '../openapi/document.ts';
import { fieldList, fieldsOf } from './fields.ts';
import { type Html, html, paragraph, prose } from './html.ts';
import { objectName, toWords } from './schema-text.ts';

/** What several calls have in common: the keys, the headers of responses, and the named objects. */
export function appendix(document: OpenApiDocument): Html {
  const { components, paths } = document;
  // The article of a call lists the fields of its own bodies.
  const bodies = new Set(
    Object.values(paths)
      .flatMap(Object.values<OpenApiOperation>)
      .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
      .flatMap((body) => Object.values(body && 'content' in body ? (body.content ?? {}) : {}))
      .map(({ schema }) => objectName(schema)),
  );
  const inOthers = JSON.stringify(components.schemas);
  const isPart = (name: string) => inOthers.includes(`"#/components/schemas/${name}"`);
  const objects = Object.entries(components.schemas).filter(
    ([name]) => name === 'ErrorBody' || !bodies.has(name) || isPart(name),
  );
  const headers = Object.entries(components.headers).map(([name, header]) => ({ name, ...header }));
  const otherMethods = Object.entries(document['x-other-methods']).map(
    ([status, { $ref }]) =>
      html`<div><dt><code>${status}</code></dt><dd>${prose(components.responses[$ref.split('/').at(-1) ?? '']?.description ?? '')}</dd></div>`,
  );
  return html`
<section class="prose"><h2 id="keys">Keys</h2>${Object.entries(components.securitySchemes).map(keySection)}</section>
<section class="prose"><h2 id="headers">Headers of responses</h2>${fieldList(headers, 'response')}</section>
<section class="prose"><h2 id="other-methods">Other methods</h2><dl class="errors">${otherMethods}</dl></section>
<section class="prose"><h2 id="objects">Objects</h2>${objects.map(objectSection)}</section>`;
}

const keySection = ([name, { bearerFormat, description }]: [string, SecurityScheme]): Html => html`
<h3 id="key-${name}"><a href="#key-${name}">${toWords(name)}</a></h3>
<p><code>Authorization: Bearer ${bearerFormat ?? '…'}</code></p>
${paragraph(description)}`;

const objectSection = ([name, schema]: [string, JsonSchema]): Html => html`
<h3 id="object-${name}"><a href="#object-${name}">${name}</a></h3>
${fieldList(fieldsOf(schema), 'response')}`;
