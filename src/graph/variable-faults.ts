import {
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { FieldError } from '../platform/errors.ts';
import { graphLimits } from './limits.ts';
import { faultsOfValue, sentenceOf } from './value-faults.ts';

/** What is wrong with the values of an operation's variables, each named by its place. */
export function variableFaults(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): FieldError[] {
  const faults = (operation.variableDefinitions ?? []).flatMap(
    ({ variable, type: typeNode, defaultValue }): FieldError[] => {
      const field = variable.name.value;
      const type = typeFromAST(schema, typeNode);
      const value = Object.hasOwn(given, field) ? given[field] : undefined;
      if (!isInputType(type)) return [];
      if (value === undefined)
        return isNonNullType(type) && !defaultValue
          ? [{ field, code: 'REQUIRED', message: `$${field} is required` }]
          : [];
      return faultsOfValue(type, value, graphLimits.faultsTold).map((fault) => ({
        field: field + fault.place,
        code: fault.code,
        message: sentenceOf(`$${field}${fault.place}`, fault.message),
      }));
    },
  );
  return faults.slice(0, graphLimits.faultsTold);
}
