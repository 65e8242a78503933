import { type DocumentNode, GraphQLError, Kind, parse } from 'graphql';
import { type CheckDocument, createDocumentCheck } from '../document/check-document.ts';
import { graphLimits } from '../document/limits.ts';
import type { Executor } from '../execute/execute.ts';
import { type ManifestEntry, readManifests } from './read-manifests.ts';

export type TrustedDocuments = {
  /** The text of the document with this hash. */
  textOf: (hash: string) => string | undefined;
  /** The validated document with this text. */
  documentOf: (text: string) => DocumentNode | undefined;
  /** Whether the operator has added documents to those of the console. */
  hasManifest: boolean;
};

type TrustedDocumentsInput = {
  /** The file or folder of the manifests. */
  path: string | undefined;
  executor: Executor;
  introspection: boolean;
};

/**
 * Reads the trusted documents, validates each of them and compiles the queries. A document that the
 * schema refuses is an error, so that a deployment fails before its clients do.
 */
export function loadTrustedDocuments({
  path,
  executor,
  introspection,
}: TrustedDocumentsInput): TrustedDocuments {
  const check = createDocumentCheck(executor.schema, { introspection });
  const textsByHash = new Map<string, string>();
  const documentsByText = new Map<string, DocumentNode>();
  for (const entry of path === undefined ? [] : readManifests(path)) {
    if (textsByHash.has(entry.hash)) continue;
    const document = validDocument(entry, check);
    executor.compileQuery(document);
    textsByHash.set(entry.hash, entry.text);
    documentsByText.set(entry.text, document);
  }
  return {
    textOf: (hash) => textsByHash.get(hash),
    documentOf: (text) => documentsByText.get(text),
    hasManifest: path !== undefined,
  };
}

function validDocument({ hash, text, file }: ManifestEntry, check: CheckDocument): DocumentNode {
  const invalid = (name: string, fault: GraphQLError | Error): Error => {
    const [{ line, column } = { line: 0, column: 0 }] =
      (fault instanceof GraphQLError && fault.locations) || [];
    const place = line > 0 ? ` (line ${line}, column ${column})` : '';
    return new Error(`${file}: the document ${hash}${name} is invalid: ${fault.message}${place}`);
  };
  if (text.length > graphLimits.documentCharacters)
    throw invalid('', new Error(`it has more than ${graphLimits.documentCharacters} characters`));
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: graphLimits.tokens });
  } catch (error) {
    throw error instanceof GraphQLError ? invalid('', error) : error;
  }
  const [fault] = check(document);
  if (fault) throw invalid(nameOf(document), fault);
  return document;
}

const nameOf = ({ definitions }: DocumentNode): string => {
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return operation && 'name' in operation && operation.name ? ` (${operation.name.value})` : '';
};
