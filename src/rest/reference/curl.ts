import type { Call } from '../openapi/document.ts';

export type Request = { path: string; method: string; call: Call };

/** A call for the command line: what stands before the address of the server, and what after. */
export function curlOf({ path, method, call }: Request): [string, string] {
  const { 'application/json': json, 'multipart/form-data': form } = call.requestBody?.content ?? {};
  const files = Object.keys(form?.schema.properties ?? {}).map(
    (name) => `-F "${name}=@handbook.pdf"`,
  );
  const options = [
    '-H "Authorization: Bearer $ATRIUM_KEY"',
    ...(json?.example === undefined
      ? files
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(json.example))}`]),
    ...(givesFile(call) ? ['-OJ'] : []),
  ];
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  return [`curl${verb} "`, `${filled(path, call)}" \\\n  ${options.join(' \\\n  ')}`];
}

const givesFile = ({ responses: { 200: success } }: Call) =>
  success && 'content' in success && '*/*' in (success.content ?? {});

function filled(path: string, { parameters }: Call): string {
  const examples = parameters.map((parameter) => ({
    ...parameter,
    text: encodeURIComponent(String(parameter.example)),
  }));
  const query = examples
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, text }) => `${name}=${text}`);
  return (
    examples.reduce((rest, { name, text }) => rest.replace(`{${name}}`, text), path) +
    (query.length > 0 ? `?${query.join('&')}` : '')
  );
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
