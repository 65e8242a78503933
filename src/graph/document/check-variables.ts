import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { FieldError } from '../../platform/errors.ts';
import { graphLimits } from './limits.ts';
import { costOf } from './query-cost.ts';
import { variableFaults } from './variable-faults.ts';

/** The faults of a request, and the cost of its operation, which is 0 if a variable is invalid. */
export type VariableCheck = { faults: FieldError[]; cost: number };

/**
 * Checks what depends on the variables of a request. Documents are validated once and cached, so
 * this happens for each request.
 */
export function checkVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): VariableCheck {
  const faults = variableFaults(schema, document, operation, variables);
  if (faults.length > 0) return { faults, cost: 0 };
  const cost = costOf({ schema, document, operation, variables });
  if (cost <= graphLimits.cost) return { faults, cost };
  const message = `The answer could hold more than ${graphLimits.cost} values; ask for fewer fields or smaller pages`;
  return { faults: [{ field: 'query', code: 'INVALID', message }], cost };
}
