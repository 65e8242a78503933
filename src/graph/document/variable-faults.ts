import {
  type DocumentNode,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  getNullableType,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { FieldError } from '../../platform/errors.ts';
import type { InputRule } from '../schema/input-rules.ts';
import { faultsOfValue, sentenceOf, type ValueFault } from '../schema/value-faults.ts';
import { argumentsOfVariables } from './argument-names.ts';
import { variableRules, variablesNeverNull } from './input-positions.ts';
import { graphLimits } from './limits.ts';

/** The faults of an operation's variables, each with the path of the argument that has its value. */
export function variableFaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): FieldError[] {
  const rules = variableRules(schema, document, operation);
  const neverNull = variablesNeverNull(schema, document, operation);
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
      const expected = neverNull.has(field) ? new GraphQLNonNull(getNullableType(type)) : type;
      return firstFaults(expected, rules.get(field), value).map((fault) => ({
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

/** The faults of a value by the first rule that rejects it, of those of all its uses. */
function firstFaults(
  type: GraphQLInputType,
  rules: readonly InputRule[] = [],
  value: unknown,
): ValueFault[] {
  const max = graphLimits.errorsReportedMax;
  for (const rule of rules) {
    const faults = faultsOfValue({ type, rule }, value, max);
    if (faults.length > 0) return faults;
  }
  return rules.length > 0 ? [] : faultsOfValue({ type }, value, max);
}
