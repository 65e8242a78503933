import { type DocumentNode, getOperationAST, Kind } from 'graphql';
import type { FieldError } from '../../platform/errors.ts';

/** Why a document and the name of a request do not determine the operation to execute. */
export function operationFault(
  document: DocumentNode,
  operationName: string | undefined,
): FieldError | undefined {
  if (getOperationAST(document, operationName)) return undefined;
  if (!document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION))
    return { field: 'query', code: 'INVALID', message: 'query must have an operation' };
  return operationName
    ? {
        field: 'operationName',
        code: 'UNKNOWN_VALUE',
        message: 'operationName must be the name of an operation in query',
      }
    : {
        field: 'operationName',
        code: 'REQUIRED',
        message: 'operationName is required, because query has several operations',
      };
}
