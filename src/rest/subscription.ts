import {
  type ExecutionResult,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  validate,
} from 'graphql';
import type { Context } from '../access/context.ts';
import type { Executor } from '../graph/execute/execute.ts';
import { rootFields, type SelectedField, selectedFields } from './openapi/selected-fields.ts';
import { readOperation } from './read-operation.ts';
import { type RenameValues, renameValuesOf } from './rename-values.ts';

/**
 * Starts a subscription. Returns its events, or the error if it is rejected before the first event.
 */
type StartSubscription = (
  context: Context,
  variables: Record<string, unknown>,
) => Promise<AsyncIterable<ExecutionResult> | ExecutionResult>;

export type LoadedSubscription = {
  definition: OperationDefinitionNode;
  start: StartSubscription;
  /** Gives the data of an event the names of REST. `start` does so already. */
  renameValues: RenameValues | undefined;
};

/**
 * Loads a subscription from its file and validates it. It has the same variables as the operation
 * of its call.
 */
export function loadSubscription(executor: Executor, file: string): LoadedSubscription {
  const { document } = readOperation(file);
  const [fault] = validate(executor.schema, document);
  if (fault) throw new Error(`The subscription ${file} does not fit the schema: ${fault.message}`);
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION)
    throw new Error(`${file}.graphql must hold one subscription`);
  const renameValues = renameValuesOf(executor.schema, definition);
  return {
    definition,
    renameValues,
    start: async (context, variables) => {
      const results = await executor.subscribe({ document, context, variables });
      return renameValues && Symbol.asyncIterator in results
        ? withRenamedValues(results, renameValues)
        : results;
    },
  };
}

/** A generator would delay `return` until the next event, and the run would go on until then. */
function withRenamedValues(
  results: AsyncGenerator<ExecutionResult, void, void>,
  renameValues: RenameValues,
): AsyncIterableIterator<ExecutionResult, void> {
  return {
    async next() {
      const next = await results.next();
      if (!next.done && next.value.data) renameValues(next.value.data);
      return next;
    },
    return: () => results.return(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * A subscription whose events have rows under the alias `rows`, the columns of a row, and whether
 * the last event has an `end` that belongs to all rows.
 */
export type LoadedRowExport = {
  start: StartSubscription;
  columns: readonly string[];
  hasEnd: boolean;
};

export function loadRowExport(executor: Executor, file: string): LoadedRowExport {
  const { start, definition } = loadSubscription(executor, file);
  const fields = rootFields(executor.schema, definition).flatMap(fieldsIn);
  const rows = fields.find(({ name }) => name === 'rows');
  if (!rows) throw new Error(`${file}.graphql has no rows under the alias "rows"`);
  return {
    ...{ start, columns: fieldsIn(rows).flatMap(columnsOf) },
    hasEnd: fields.some(({ name }) => name === 'end'),
  };
}

function fieldsIn({ field, node: { selectionSet } }: SelectedField): SelectedField[] {
  const type = getNamedType(field.type);
  return isObjectType(type) && selectionSet ? selectedFields(type, selectionSet) : [];
}

function columnsOf(selected: SelectedField): string[] {
  // A list is one cell, as JSON.
  const inner = isListType(getNullableType(selected.field.type))
    ? []
    : fieldsIn(selected).flatMap(columnsOf);
  return inner.length === 0 ? [selected.name] : inner.map((name) => `${selected.name}.${name}`);
}
