import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { type CompiledOperation, compilerOptions } from './compile.ts';

type Known = { times: number; run?: CompiledOperation | undefined };

/** Compiling takes as long as some ten executions, so a document must have been asked before. */
const compileAfter = 4;
/** Compiled code takes 3 kB a field, for as long as the document is remembered. */
const charactersMax = 4_000;

/**
 * What dashboards ask again and again as compiled code: questions for data, alone in their
 * document.
 */
export function createHotOperations(schema: GraphQLSchema) {
  const known = new WeakMap<DocumentNode, Known>();
  return {
    /** Is told of a document, which is valid, each time that it is executed in the ordinary way. */
    wasExecuted(document: DocumentNode): void {
      const found = known.get(document) ?? { times: 0 };
      known.set(document, found);
      found.times += 1;
      if (found.times === compileAfter) found.run = compile(schema, document);
    },
    of: (document: DocumentNode): CompiledOperation | undefined => known.get(document)?.run,
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode): CompiledOperation | undefined {
  const [operation, ...others] = document.definitions.filter(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION,
  );
  const isQuestion =
    operation?.kind === Kind.OPERATION_DEFINITION &&
    operation.operation === OperationTypeNode.QUERY &&
    others.length === 0;
  if (!isQuestion || (document.loc?.end ?? Number.POSITIVE_INFINITY) > charactersMax)
    return undefined;
  const found = compileQuery(schema, document, operation.name?.value ?? '', compilerOptions);
  if (!isCompiledQuery(found)) return undefined;
  return (context, variables): ExecutionResult | Promise<ExecutionResult> =>
    found.query(undefined, context, variables);
}
