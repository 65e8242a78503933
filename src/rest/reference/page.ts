import type { OpenApiDocument } from '../openapi/document.ts';
import { appendix } from './appendix.ts';
import { callArticle, searchable } from './call-article.ts';
import type { DocumentedRequest } from './curl.ts';
import { type Html, html, paragraph } from './html.ts';
import { toWords } from './schema-text.ts';

/** The reference as one page that loads only its own style sheet, script and icon. */
export function referencePage(document: OpenApiDocument, base: string): string {
  const { info, tags } = document;
  const areas = tags.map((tag) => ({
    ...tag,
    id: anchor(tag.name),
    requests: requestsOf(document).filter(({ call }) => call.tags.includes(tag.name)),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${info.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}/reference.css">
<script src="${base}/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="home" href="#content">${info.title}</a> <span class="version">${info.version}</span> <a href="/api/openapi.json">openapi.json</a> <a href="/api/openapi.yaml">openapi.yaml</a></header>
<nav aria-label="Calls">
<search hidden><label for="filter">Find a call</label><input id="filter" type="search" autocomplete="off" spellcheck="false"><p role="status"></p></search>
${areas.map(({ id, name, requests }) => html`<section data-area><h2><a href="#${id}">${name}</a></h2><ul>${requests.map(callLink)}</ul></section>`)}
<section><h2>More</h2><ul><li><a href="#keys">Keys</a></li><li><a href="#headers">Headers</a></li><li><a href="#objects">Objects</a></li></ul></section>
</nav>
<main id="content">
<section class="prose"><h1>${info.title}</h1>${info.description.split('\n\n').map(paragraph)}</section>
${areas.map(
  ({ id, name, description, requests }) => html`<section data-area>
<div class="prose"><h2 id="${id}">${name}</h2>${paragraph(description)}${keyOf(requests)}</div>
${requests.map((request) => callArticle(request, document))}</section>`,
)}
${appendix(document)}
</main>
</body>
</html>
`.markup;
}

const requestsOf = ({ paths }: OpenApiDocument): DocumentedRequest[] =>
  Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, call]) =>
      method === 'head' ? [] : [{ path, method, call }],
    ),
  );

const callLink = (request: DocumentedRequest): Html => {
  const { method, call } = request;
  return html`<li ${searchable(request)}><a href="#${call.operationId}">${toWords(call.operationId)} <span class="method ${method}">${method.toUpperCase()}</span></a></li>`;
};

const keyOf = ([request]: DocumentedRequest[]): Html =>
  html`${Object.keys(request?.call.security[0] ?? {}).map((name) => html`<p>Accepted key: <a href="#key-${name}">${toWords(name).toLowerCase()}</a></p>`)}`;

const anchor = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');
