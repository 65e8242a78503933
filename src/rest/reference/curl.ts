import type { OpenApiOperation } from '../openapi/document.ts';

export type DocumentedRequest = { path: string; method: string; call: OpenApiOperation };

/** Returns a curl command: the text before the origin of the server, and the text after it. */
export function curlOf({ path, method, call }: DocumentedRequest): [string, string] {
  const { 'application/json': json, 'multipart/form-data': form } = call.requestBody?.content ?? {};
  const files = Object.keys(form?.schema.properties ?? {}).map(
    (name) => `-F "${name}=@handbook.pdf"`,
  );
  const options = [
    '-H "Authorization: Bearer $ATRIUM_KEY"',
    ...(json?.example === undefined
      ? files
      : ['-H "Content-Type: application/json"', `-d ${shellQuoted(JSON.stringify(json.example))}`]),
    ...(returnsFile(call) ? ['-OJ'] : []),
  ];
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  return [`curl${verb} "`, `${filledPath(path, call)}" \\\n  ${options.join(' \\\n  ')}`];
}

const returnsFile = ({ responses: { 200: success } }: OpenApiOperation) =>
  success && 'content' in success && '*/*' in (success.content ?? {});

/** The path with examples. Optional query parameters are left out: some exclude each other. */
function filledPath(path: string, { parameters }: OpenApiOperation): string {
  const examples = parameters.map((parameter) => ({
    ...parameter,
    text: encodeURIComponent(String(parameter.example)),
  }));
  const query = examples
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, text }) => `${name}=${text}`);
  return (
    examples.reduce((rest, { name, text }) => rest.replace(`{${name}}`, text), path) +
    (query.length > 0 ? `?${query.join('&')}` : '')
  );
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
