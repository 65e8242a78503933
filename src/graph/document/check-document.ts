import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
} from 'graphql';
import { findExceededLimit } from './document-size.ts';
import { rejectedLiterals } from './input-positions.ts';
import { graphLimits } from './limits.ts';
import { addLiteralNames } from './literal-faults.ts';

export type CheckDocument = (document: DocumentNode) => GraphQLError[];

/** Checks everything of a document that does not depend on the variables of a request. */
export function createDocumentCheck(
  schema: GraphQLSchema,
  { introspection }: { introspection: boolean },
): CheckDocument {
  const rules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  return (document) => {
    const excess = findExceededLimit(document);
    if (excess) return [excess];
    const faults = validate(schema, document, rules, {
      maxErrors: graphLimits.errorsReportedMax,
      hideSuggestions: !introspection,
    });
    return addLiteralNames(
      schema,
      document,
      faults.length > 0 ? faults : rejectedLiterals(schema, document),
    ).slice(0, graphLimits.errorsReportedMax);
  };
}
