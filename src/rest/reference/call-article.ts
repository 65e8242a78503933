import type {
  OpenApiDocument,
  OpenApiMediaType,
  OpenApiOperation,
  OpenApiReference,
  OpenApiResponse,
} from '../openapi/document.ts';
import { curlOf, type DocumentedRequest } from './curl.ts';
import { fieldList, fieldsOf } from './fields.ts';
import { type Html, html, paragraph, prose } from './html.ts';
import { resolveSchema, toWords } from './schema-text.ts';

/**
 * The article of one call: its inputs, its response, its errors, and an example for the command
 * line.
 */
export function callArticle(request: DocumentedRequest, document: OpenApiDocument): Html {
  const { path, method, call } = request;
  const { operationId, summary, description, responses } = call;
  const [body] = Object.values(call.requestBody?.content ?? {});
  const { 200: success, ...errors } = responses;
  const successContent = success && resolve(success, document).content?.['application/json'];
  return html`
<article id="${operationId}" ${searchable(request)}>
<div class="about">
<h3><a href="#${operationId}">${toWords(operationId)}</a></h3>
<p class="line"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
${paragraph(description ?? `${summary}.`)}
${section('In the path', parameters(call, 'path'))}
${section('In the query', parameters(call, 'query'))}
${section('In the headers', parameters(call, 'header'))}
${section(`In the body${call.requestBody?.required === false ? ', which may be left out' : ''}`, body ? fieldList(fieldsOf(resolveSchema(body.schema, document)), 'request') : undefined)}
${section('Response', successContent && fieldList(fieldsOf(resolveSchema(successContent.schema, document)), 'response'))}
${section('Errors', errorList(errors, document))}
</div>
<div class="samples">
${sampleFigure(`Request for ${toWords(operationId)}`, 'Request', curl(request, document))}
${successContent ? sampleFigure(`Response to ${toWords(operationId)}`, 'Response', html`${exampleText(successContent)}`) : ''}
</div>
</article>`;
}

/** The attributes in which the filter of the page searches for words and for parts of a path. */
export const searchable = ({
  path,
  method,
  call: { operationId, summary },
}: DocumentedRequest): Html =>
  html`data-call="${[operationId, toWords(operationId), method, summary].join(' ').toLowerCase()}" data-path="${path.toLowerCase()}"`;

const section = (heading: string, content: Html | undefined): Html =>
  content ? html`<h4>${heading}</h4>${content}` : html``;

function parameters(
  { parameters: all }: OpenApiOperation,
  location: 'path' | 'query' | 'header',
): Html | undefined {
  const fields = all.filter((parameter) => parameter.in === location);
  return fields.length > 0 ? fieldList(fields, 'request') : undefined;
}

function errorList(
  responses: Record<string, OpenApiResponse | OpenApiReference>,
  document: OpenApiDocument,
): Html {
  const rows = Object.entries(responses).map(
    ([status, response]) =>
      html`<div><dt><code>${status}</code></dt><dd>${prose(resolve(response, document).description)}</dd></div>`,
  );
  return html`<dl class="errors">${rows}</dl>`;
}

function resolve(
  response: OpenApiResponse | OpenApiReference,
  { components }: OpenApiDocument,
): OpenApiResponse {
  if (!('$ref' in response)) return response;
  const target = components.responses[response.$ref.replace('#/components/responses/', '')];
  if (!target) throw new Error(`${response.$ref} does not exist`);
  return target;
}

function curl(request: DocumentedRequest, { servers }: OpenApiDocument): Html {
  const [before, after] = curlOf(request);
  const [server] = request.call.servers ?? servers;
  // If the document has no server URL, the script of the page fills in the origin of the page.
  const address =
    server && server.url !== '/'
      ? html`${server.url}`
      : html`<span data-origin>http://localhost:4000</span>`;
  return html`${before}${address}${after}`;
}

const exampleText = ({ example }: OpenApiMediaType): string => JSON.stringify(example, null, 2);

const sampleFigure = (label: string, title: string, text: Html): Html =>
  html`<figure aria-label="${label}"><figcaption>${title}</figcaption><pre><code>${text}</code></pre></figure>`;

const breakable = (path: string): Html[] => path.split(/(?=\/)/).map((part) => html`${part}<wbr>`);
