import { type DocumentNode, Kind, print, visit } from 'graphql';

/** A question as somebody would write it: without what the console's cache adds to it. */
export const graphqlOf = (document: DocumentNode): string =>
  print(
    visit(document, { Field: (field) => (field.name.value === '__typename' ? null : undefined) }),
  );

export const nameOf = ({ definitions }: DocumentNode): string => {
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operation?.name?.value ?? 'Unnamed';
};

type Question = { origin: string; query: string; variables: Record<string, unknown> };

/** The same for the command line, with the key in a variable of the shell. */
export function curlOf({ origin, query, variables }: Question): string {
  const body = JSON.stringify({
    query,
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
  });
  return [
    `curl ${quoted(`${origin}/graphql`)}`,
    `-H ${authorization}`,
    `-H ${quoted('Content-Type: application/json')}`,
    `--data-binary ${quoted(body)}`,
  ].join(' \\\n  ');
}

/** A call of the REST API for the command line. */
export const restCurlOf = ({ origin, path }: { origin: string; path: string }): string =>
  `curl ${quoted(origin + path)} \\\n  -H ${authorization}`;

const authorization = '"Authorization: Bearer $ATRIUM_KEY"';

/** Nothing in it means anything to a shell: between single quotes only the single quote does. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
