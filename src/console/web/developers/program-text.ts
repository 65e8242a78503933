import { type DocumentNode, Kind, print, visit } from 'graphql';

/** Prints an operation without the __typename fields that the console's cache adds. */
export const printQuery = (document: DocumentNode): string =>
  print(
    visit(document, { Field: (field) => (field.name.value === '__typename' ? null : undefined) }),
  );

export const operationName = ({ definitions }: DocumentNode): string => {
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operation?.name?.value ?? 'Unnamed';
};

type GraphqlCall = { origin: string; query: string; variables: Record<string, unknown> };

/** The operation as a curl command, with the key in a shell variable. */
export function toCurl({ origin, query, variables }: GraphqlCall): string {
  const body = JSON.stringify({
    query,
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
  });
  return [
    `curl ${quoteForShell(`${origin}/graphql`)}`,
    `-H ${authorization}`,
    `-H ${quoteForShell('Content-Type: application/json')}`,
    `--data-binary ${quoteForShell(body)}`,
  ].join(' \\\n  ');
}

/** A REST call as a curl command. */
export const toRestCurl = ({ origin, path }: { origin: string; path: string }): string =>
  `curl ${quoteForShell(origin + path)} \\\n  -H ${authorization}`;

const authorization = '"Authorization: Bearer $ATRIUM_KEY"';

/** Quotes a text for a shell. Between single quotes only the single quote is special. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
