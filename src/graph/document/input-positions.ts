import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { inputFaultsOf } from '../../platform/input-fault.ts';
import type { InputRule } from '../schema/input-rules.ts';
import { ScalarError } from '../schema/scalars.ts';

/** A value of a document that a rule applies to, and the operation or fragment that contains it. */
type RulePosition = { value: ValueNode; rule: InputRule; definition: DefinitionNode | undefined };

const positionsOfDocuments = new WeakMap<DocumentNode, readonly RulePosition[]>();

/** The values of a document that a rule applies to. They are found once for each document. */
export function rulePositions(
  schema: GraphQLSchema,
  document: DocumentNode,
): readonly RulePosition[] {
  const known = positionsOfDocuments.get(document);
  const positions = known ?? findRulePositions(schema, document);
  if (!known) positionsOfDocuments.set(document, positions);
  return positions;
}

function findRulePositions(schema: GraphQLSchema, document: DocumentNode): RulePosition[] {
  const types = new TypeInfo(schema);
  const positions: RulePosition[] = [];
  let definition: DefinitionNode | undefined;
  const add = (value: ValueNode, rule: InputRule | undefined) => {
    if (rule) positions.push({ value, rule, definition });
  };
  visit(
    document,
    visitWithTypeInfo(types, {
      enter(node) {
        if (node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION)
          definition = node;
        if (node.kind === Kind.ARGUMENT) add(node.value, types.getArgument()?.extensions.rule);
        if (node.kind !== Kind.OBJECT_FIELD) return;
        const parent = getNamedType(types.getParentInputType());
        if (isInputObjectType(parent))
          add(node.value, parent.getFields()[node.name.value]?.extensions.rule);
      },
    }),
  );
  return positions;
}

type VariableRules = ReadonlyMap<string, readonly InputRule[]>;

const rulesOfOperations = new WeakMap<OperationDefinitionNode, VariableRules>();

/** The rules for each variable of an operation, from the arguments and fields that it is used in. */
export function variableRules(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): VariableRules {
  const known = rulesOfOperations.get(operation);
  const rules = known ?? findVariableRules(schema, document, operation);
  if (!known) rulesOfOperations.set(operation, rules);
  return rules;
}

function findVariableRules(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): VariableRules {
  const used = definitionsOf(document, operation);
  const rules = new Map<string, InputRule[]>();
  for (const { value, rule, definition } of rulePositions(schema, document)) {
    if (value.kind !== Kind.VARIABLE || !definition || !used.has(definition)) continue;
    const name = value.name.value;
    rules.set(name, [...new Set([...(rules.get(name) ?? []), rule])]);
  }
  return rules;
}

const neverNullInOperations = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/**
 * The variables of an operation that are used where null is invalid. Validation lets a nullable
 * variable stand there if either of the two has a default, which null does not replace.
 */
export function variablesNeverNull(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlySet<string> {
  const known = neverNullInOperations.get(operation);
  const names = known ?? findVariablesNeverNull(schema, document, operation);
  if (!known) neverNullInOperations.set(operation, names);
  return names;
}

function findVariablesNeverNull(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlySet<string> {
  const types = new TypeInfo(schema);
  const names = new Set<string>();
  for (const definition of definitionsOf(document, operation))
    visit(
      definition,
      visitWithTypeInfo(types, {
        VariableDefinition: () => false,
        Variable: ({ name }) => {
          if (isNonNullType(types.getInputType())) names.add(name.value);
        },
      }),
    );
  return names;
}

/** The operation and the fragments that it uses. */
function definitionsOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlySet<DefinitionNode> {
  const used = new Set<DefinitionNode>([operation]);
  // A set also visits the elements that are added meanwhile.
  for (const definition of used)
    visit(definition, {
      FragmentSpread: ({ name }) => {
        const fragment = document.definitions.find(
          (node) => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name.value,
        );
        if (fragment) used.add(fragment);
      },
    });
  return used;
}

/** The literals of a document, and the defaults of its variables, that a rule rejects. */
export function rejectedLiterals(schema: GraphQLSchema, document: DocumentNode): ScalarError[] {
  const literals = rulePositions(schema, document).map(({ value, rule }) => ({ value, rule }));
  const defaults = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? defaultsOf(schema, document, node) : [],
  );
  return [...literals, ...defaults].flatMap(({ value, rule }) => {
    if (value.kind === Kind.NULL || hasVariable(value)) return [];
    try {
      rule.parse(valueFromASTUntyped(value));
      return [];
    } catch (error) {
      const faults = inputFaultsOf(error);
      if (!faults) throw error;
      return faults.map((fault) => new ScalarError(fault, value));
    }
  });
}

const defaultsOf = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Pick<RulePosition, 'value' | 'rule'>[] =>
  (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue: value }) =>
    value
      ? (variableRules(schema, document, operation).get(variable.name.value) ?? []).map((rule) => ({
          value,
          rule,
        }))
      : [],
  );

function hasVariable(node: ValueNode): boolean {
  if (node.kind === Kind.LIST) return node.values.some(hasVariable);
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => hasVariable(value));
  return node.kind === Kind.VARIABLE;
}
