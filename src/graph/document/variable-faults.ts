import {
  type DocumentNode,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { FieldError } from '../../platform/errors.ts';
import { argumentsOfVariables } from './argument-names.ts';
import { graphLimits } from './limits.ts';

import { faultsOfValue, sentenceOf } from './value-faults.ts';

/** The faults of an operation's variables, each with the path of the argument that has its value. */
export function variableFaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): FieldError[] {
  const faults = (operation.variableDefinitions ?? []).flatMap(
    ({ variable, type: typeNode, defaultValue }): FieldError[] => {
      const field = variable.name.value;
      const type = typeFromAST(schema, typeNode);
      const value = Object.hasOwn(variables, field) ? variables[field] : undefined;
      if (!isInputType(type)) return [];
      if (value === undefined)
        return isNonNullType(type) && !defaultValue
          ? [{ field, code: 'REQUIRED', message: `$${field} is required` }]
          : [];
      return faultsOfValue(type, value, graphLimits.errorsReportedMax).map((fault) => ({
        field: field + fault.subpath,
        code: fault.code,
        message: sentenceOf(`$${field}${fault.subpath}`, fault.message),
      }));
    },
  );
  if (faults.length === 0) return faults;
  const argumentOf = argumentsOfVariables(document);
  return faults
    .slice(0, graphLimits.errorsReportedMax)
    .map((fault) => ({ ...fault, field: argumentOf(fault.field) }));
}
