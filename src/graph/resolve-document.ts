import type { Viewer } from '../access/context.ts';
import { AppError, inputError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { DocumentPolicies } from '../platform/setting-forms.ts';
import type { AnswerType } from './answer-type.ts';
import type { DocumentRequest, GraphQLParams } from './graphql-params.ts';
import { documentHash } from './trusted/read-manifests.ts';
import type { TrustedDocuments } from './trusted/trusted-documents.ts';

/** A request names a document that is not trusted. */
export class UnknownDocument extends AppError {
  readonly #isApollo: boolean;

  constructor(
    code: 'PERSISTED_QUERY_NOT_FOUND' | 'PERSISTED_QUERY_NOT_SUPPORTED',
    message: string,
    isApollo: boolean,
  ) {
    super(code, message);
    this.#isApollo = isApollo;
  }

  /**
   * Apollo Server answers 200, and some of its clients read no answer with another status. For a
   * `documentId` GraphQL over HTTP decides: 200 as application/json, otherwise that of the code.
   */
  statusFor(accept: AnswerType): number | undefined {
    return this.#isApollo || accept === 'application/json' ? 200 : undefined;
  }
}

type ResolverDependencies = {
  trusted: TrustedDocuments;
  policies: DocumentPolicies;
  metrics: Pick<Metrics, 'untrustedDocuments'>;
  log: Log;
};

/** Finds the document that a request executes, and refuses one that the caller may not send. */
export type ResolveDocument = (
  request: DocumentRequest,
  sender: { viewer: Viewer | null; requestId: string },
) => ResolvedDocument;

/** `isById`: the request names a trusted document by its hash. */
type ResolvedDocument = { params: GraphQLParams; isById: boolean };

export function createDocumentResolver({
  trusted,
  policies,
  metrics,
  log,
}: ResolverDependencies): ResolveDocument {
  return ({ text, hash, isApollo, ...params }, { viewer, requestId }) => {
    if (text === undefined) {
      const known = hash === undefined ? undefined : trusted.textOf(hash);
      if (known !== undefined) return { params: { ...params, query: known }, isById: true };
      throw unknownDocument(isApollo, trusted.hasManifest);
    }
    if (hash !== undefined && documentHash(text) !== hash)
      throw inputError(
        isApollo ? 'extensions.persistedQuery.sha256Hash' : 'documentId',
        'INVALID',
        'The id is not the SHA-256 hash of query',
      );
    const caller = viewer?.kind ?? 'ANONYMOUS';
    const policy = policies[caller];
    if (policy !== 'allow' && !trusted.isTrusted(text)) {
      metrics.untrustedDocuments.inc({ kind: caller });
      const document = documentHash(text);
      log.info({ requestId, document, kind: caller, policy }, 'a document is not trusted');
      if (policy === 'require')
        throw new AppError(
          'FORBIDDEN',
          'Only trusted documents are executed here; add this one to a manifest of GRAPHQL_DOCUMENTS',
          'DOCUMENT_NOT_TRUSTED',
        );
    }
    return {
      params: { ...params, query: text },
      isById: hash !== undefined && trusted.textOf(hash) !== undefined,
    };
  };
}

/**
 * A request cannot register a document. Otherwise every caller could make any document trusted.
 * Clients of Apollo recognize these messages and then send the text: after `NotFound` for this
 * request, after `NotSupported` for all further requests.
 */
function unknownDocument(isApollo: boolean, hasManifest: boolean): UnknownDocument {
  if (!isApollo)
    return new UnknownDocument(
      'PERSISTED_QUERY_NOT_FOUND',
      'No trusted document has this documentId',
      isApollo,
    );
  return hasManifest
    ? new UnknownDocument('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', isApollo)
    : new UnknownDocument('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported', isApollo);
}
