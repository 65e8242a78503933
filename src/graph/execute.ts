import { type DocumentNode, type ExecutionArgs, type ExecutionResult, type GraphQLSchema, Kind, OperationTypeNode } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { compilerOptions } from './compile.ts';

type Answer = ExecutionResult | Promise<ExecutionResult>;
type Execute = (args: ExecutionArgs) => Answer;
type Known = { times: number; run?: Execute | undefined };

/** Compiling takes as long as some ten executions, so a document must have been asked before. */
const worthCompiling = 4;
/** Compiled code takes 3 kB a field, for as long as the document is remembered. */
const charactersMax = 4_000;

/**
 * Executes what dashboards ask again and again by compiled code: a question for data, alone in its document. Where the answer
 * holds an error it is asked once more in the ordinary way, so that errors are the same whoever found them; questions change nothing.
 */
export function createExecute(schema: GraphQLSchema): (args: ExecutionArgs, otherwise: Execute) => Answer {
  const known = new WeakMap<DocumentNode, Known>();

  function compiled(document: DocumentNode): Execute | undefined {
    const found = known.get(document) ?? { times: 0 };
    known.set(document, found);
    found.times += 1;
    if (found.times === worthCompiling) found.run = compile(schema, document);
    return found.run;
  }

  return (args, otherwise) => {
    const run = compiled(args.document);
    if (!run) return otherwise(args);
    const answer = run(args);
    const settled = (result: ExecutionResult): Answer => (result.errors ? otherwise(args) : result);
    return answer instanceof Promise ? answer.then(settled) : settled(answer);
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode): Execute | undefined {
  const [operation, ...others] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const isQuestion = operation?.kind === Kind.OPERATION_DEFINITION && operation.operation === OperationTypeNode.QUERY && others.length === 0;
  if (!isQuestion || (document.loc?.end ?? Number.POSITIVE_INFINITY) > charactersMax) return undefined;
  const found = compileQuery(schema, document, operation.name?.value ?? '', compilerOptions);
  if (!isCompiledQuery(found)) return undefined;
  return ({ contextValue, variableValues }) => found.query(undefined, contextValue, variableValues ?? {});
}
