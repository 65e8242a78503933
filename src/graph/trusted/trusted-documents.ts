import { readFileSync } from 'node:fs';
import { type DocumentNode, GraphQLError, Kind, parse } from 'graphql';
import { type CheckDocument, createDocumentCheck } from '../document/check-document.ts';
import { graphLimits } from '../document/limits.ts';
import type { Executor } from '../execute/execute.ts';
import { documentHash, type ManifestEntry, readManifests } from './read-manifests.ts';

export type TrustedDocuments = {
  /** The text of the document with this hash. */
  textOf: (hash: string) => string | undefined;
  isTrusted: (text: string) => boolean;
  /** The hash of a trusted document; undefined for any other. */
  hashOf: (text: string) => string | undefined;
  /** The document with this text, if it was validated at the start. */
  documentOf: (text: string) => DocumentNode | undefined;
  /** Whether the operator has added documents to those of the console. */
  hasManifest: boolean;
};

type TrustedDocumentsInput = {
  /** The manifest of the console. The build has validated its documents. */
  consoleFile: string;
  /** The file or folder of the operator's manifests. */
  path: string | undefined;
  executor: Executor;
  introspection: boolean;
};

/**
 * Reads the trusted documents. Those of the operator are validated, and their queries compiled. A
 * document that the schema refuses is an error, so that a deployment fails before its clients do.
 */
export function loadTrustedDocuments({
  consoleFile,
  path,
  executor,
  introspection,
}: TrustedDocumentsInput): TrustedDocuments {
  const check = createDocumentCheck(executor.schema, { introspection });
  const textsByHash = new Map<string, string>(
    Object.entries(JSON.parse(readFileSync(consoleFile, 'utf8'))),
  );
  const documentsByText = new Map<string, DocumentNode>();
  for (const entry of path === undefined ? [] : readManifests(path)) {
    if (documentsByText.has(entry.text)) continue;
    const document = validDocument(entry, check);
    executor.compileQuery(document);
    textsByHash.set(entry.hash, entry.text);
    documentsByText.set(entry.text, document);
  }
  const texts = new Set(textsByHash.values());
  return {
    isTrusted: (text) => texts.has(text),
    hashOf: (text) => (texts.has(text) ? documentHash(text) : undefined),
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
