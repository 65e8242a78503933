import {
  type DocumentNode,
  type ExecutionResult,
  execute as executePlainly,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  subscribe,
  validate,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../../access/context.ts';
import { hoistObjects } from './hoist-objects.ts';

export type Execution = {
  /** A document that was validated against the schema. */
  document: DocumentNode;
  operationName?: string | null | undefined;
  context: Context;
  variables: Record<string, unknown>;
};
export type Executor = ReturnType<typeof createExecutor>;

type CompiledOperation = (
  context: Context,
  variables: Record<string, unknown>,
) => ExecutionResult | Promise<ExecutionResult>;
type DocumentUse = { executions: number; compiled?: CompiledOperation | undefined };

// Compiling takes as long as about ten executions, so only a document that was executed before is
// worth it.
const compileAfter = 4;
// Compiled code takes 3 kB for each field, for as long as the document is cached.
const charactersMax = 4_000;
/**
 * Resolvers return what the schema says, which TypeScript checks, and the values of enums are their
 * names: strings, numbers and enums need no serialization. The scalars of this schema that have a
 * serialize function of their own are serialized all the same.
 */
const compilerOptions = { disableLeafSerialization: true } as const;

/**
 * Several applications in one process have one schema and the same documents. Preparing those of
 * REST takes 0.2 s.
 */
const preparedOperations = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, CompiledOperation>>();

/**
 * Executes operations for both APIs. The operations of REST are compiled when they are loaded;
 * queries of dashboards once they were executed a few times. Everything else is executed by
 * GraphQL.js.
 */
export function createExecutor(schema: GraphQLSchema) {
  const uses = new WeakMap<DocumentNode, DocumentUse>();
  const prepared = preparedOperations.get(schema) ?? new WeakMap();
  preparedOperations.set(schema, prepared);

  return {
    schema,

    /** Validates and compiles an operation at once. A document that is invalid is an error. */
    prepare(document: DocumentNode, name: string): void {
      const compiled = prepared.get(document) ?? prepareOperation(schema, document, name);
      prepared.set(document, compiled);
      uses.set(document, { executions: 0, compiled });
    },

    /** Compiles a validated document at once, if it has one query and no other operation. */
    compileQuery(document: DocumentNode): void {
      uses.set(document, { executions: 0, compiled: compileSingleQuery(schema, document) });
    },

    /** Starts a subscription. Resolves to its events, or to the error if it is rejected. */
    subscribe: ({ document, operationName, context, variables }: Execution) =>
      subscribe({
        schema,
        document,
        operationName: operationName ?? null,
        contextValue: context,
        variableValues: variables,
      }),

    /** Whether the next execution of this document runs compiled code. */
    isCompiled: (document: DocumentNode): boolean => uses.get(document)?.compiled !== undefined,

    execute({
      document,
      operationName,
      context,
      variables,
    }: Execution): ExecutionResult | Promise<ExecutionResult> {
      const use = uses.get(document) ?? { executions: 0 };
      uses.set(document, use);
      if (use.compiled) {
        const result = use.compiled(context, variables);
        // Without data nothing was executed: compiled code refuses the variables, some of which
        // GraphQL.js accepts, and GraphQL.js has the better messages for the others.
        if (result instanceof Promise || result.data !== undefined) return result;
      } else {
        use.executions += 1;
        if (use.executions === compileAfter && isShort(document))
          use.compiled = compileSingleQuery(schema, document);
      }
      return executePlainly({
        schema,
        document,
        operationName: operationName ?? null,
        contextValue: context,
        variableValues: variables,
      });
    },
  };
}

function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  name: string,
): CompiledOperation {
  const [fault] = validate(schema, document);
  if (fault) throw new Error(`The operation ${name} does not match the schema: ${fault.message}`);
  const compiled = compile(schema, document, name);
  if (typeof compiled === 'function') return compiled;
  throw new Error(`The operation ${name} could not be compiled: ${compiled.error}`);
}

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  name: string,
): CompiledOperation | { error: string } {
  const { document: hoisted, variablesFrom } = hoistObjects(schema, document);
  const compiled = compileQuery(schema, hoisted, name, compilerOptions);
  if (!isCompiledQuery(compiled)) return { error: String(compiled.errors?.[0]?.message) };
  return (context, variables) => compiled.query(undefined, context, variablesFrom(variables));
}

const isShort = ({ loc }: DocumentNode): boolean =>
  (loc?.end ?? Number.POSITIVE_INFINITY) <= charactersMax;

/** Undefined if the document has another operation besides one query. */
function compileSingleQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
): CompiledOperation | undefined {
  const operations = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  const operation = getOperationAST(document);
  if (operations.length !== 1 || operation?.operation !== OperationTypeNode.QUERY) return undefined;
  const compiled = compile(schema, document, operation.name?.value ?? '');
  return typeof compiled === 'function' ? compiled : undefined;
}
