import type { Answer, Call, Content, OpenApiDocument, Reference } from '../openapi/document.ts';
import { curlOf, type Request } from './curl.ts';
import { fieldList, fieldsOf } from './fields.ts';
import { type Html, html } from './html.ts';
import { spaced } from './words.ts';

/**
 * One call: what it takes, what it answers, how it refuses, and how it looks from a command line.
 */
export function callArticle(request: Request, document: OpenApiDocument): Html {
  const { path, method, call } = request;
  const { operationId, summary, description, responses } = call;
  const [body] = Object.values(call.requestBody?.content ?? {});
  const { 200: success, ...refusals } = responses;
  const answer = success && resolve(success, document).content?.['application/json'];
  return html`
<article id="${operationId}" ${searchable(request)}>
<div class="about">
<h3><a href="#${operationId}">${spaced(operationId)}</a></h3>
<p class="line"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
<p>${description ?? `${summary}.`}</p>
${section('In the path', parameters(call, 'path'))}
${section('In the query', parameters(call, 'query'))}
${section('In the headers', parameters(call, 'header'))}
${section(`In the body${call.requestBody?.required === false ? ', which may be left out' : ''}`, body ? fieldList(fieldsOf(body.schema), 'asked') : undefined)}
${section('Answer', answer && fieldList(fieldsOf(answer.schema), 'answered'))}
${section('Refusals', refusalList(refusals, document))}
</div>
<div class="samples">
${sample(`Request for ${spaced(operationId)}`, 'Request', curl(request, document))}
${answer ? sample(`Answer to ${spaced(operationId)}`, 'Answer', html`${exampleText(answer)}`) : ''}
</div>
</article>`;
}

/** Where the filter of the page looks for words, and for parts of a path. */
export const searchable = ({ path, method, call: { operationId, summary } }: Request): Html =>
  html`data-call="${[operationId, spaced(operationId), method, summary].join(' ').toLowerCase()}" data-path="${path.toLowerCase()}"`;

const section = (heading: string, content: Html | undefined): Html =>
  content ? html`<h4>${heading}</h4>${content}` : html``;

function parameters(
  { parameters: all }: Call,
  place: 'path' | 'query' | 'header',
): Html | undefined {
  const fields = all.filter((parameter) => parameter.in === place);
  return fields.length > 0 ? fieldList(fields, 'asked') : undefined;
}

function refusalList(
  responses: Record<string, Answer | Reference>,
  document: OpenApiDocument,
): Html {
  const rows = Object.entries(responses).map(
    ([status, response]) =>
      html`<div><dt><code>${status}</code></dt><dd>${resolve(response, document).description}</dd></div>`,
  );
  return html`<dl class="refusals">${rows}</dl>`;
}

function resolve(response: Answer | Reference, { components }: OpenApiDocument): Answer {
  if (!('$ref' in response)) return response;
  const target = components.responses[response.$ref.replace('#/components/responses/', '')];
  if (!target) throw new Error(`${response.$ref} leads nowhere`);
  return target;
}

function curl(request: Request, { servers: [server] }: OpenApiDocument): Html {
  const [before, after] = curlOf(request);
  // A document without an address of its own is read where it is served; the script fills that in.
  const address =
    server && server.url !== '/'
      ? html`${server.url}`
      : html`<span data-origin>http://localhost:4000</span>`;
  return html`${before}${address}${after}`;
}

const exampleText = ({ example }: Content): string => JSON.stringify(example, null, 2);

const sample = (label: string, title: string, text: Html): Html =>
  html`<figure aria-label="${label}"><figcaption>${title}</figcaption><pre><code>${text}</code></pre></figure>`;

const breakable = (path: string): Html[] => path.split(/(?=\/)/).map((part) => html`${part}<wbr>`);
