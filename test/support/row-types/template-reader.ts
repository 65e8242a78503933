import type {
  Expression,
  Node,
  ObjectLiteralExpression,
  TemplateLiteral,
} from 'typescript/unstable/ast';
import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isArrowFunction,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isTaggedTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { type Checker, type Project, SymbolFlags } from 'typescript/unstable/sync';

type Bindings = ReadonlyMap<string, { value: Expression | undefined; bindings: Bindings }>;
export const noBindings: Bindings = new Map();

class UnknownText extends Error {}

/**
 * Writes out the templates of the source with their fragments, without executing it. Where a
 * statement has alternatives, it takes the first one that is known: their columns are the same.
 */
export class TemplateReader {
  readonly #project: Project;
  readonly #checker: Checker;

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  /** The text with numbered placeholders. */
  tryRead(read: () => string): string | undefined {
    try {
      let placeholders = 0;
      return read().replaceAll('\0', () => `$${++placeholders}`);
    } catch (error) {
      if (error instanceof UnknownText) return undefined;
      throw error;
    }
  }

  templateText(template: TemplateLiteral, bindings: Bindings): string {
    if (isNoSubstitutionTemplateLiteral(template)) return template.text;
    const parts = template.templateSpans.map(({ expression, literal }) => {
      const value = this.#isFragment(expression) ? this.#read(expression, bindings) : '\0';
      return value + literal.text;
    });
    return template.head.text + parts.join('');
  }

  /** The statement of `changeRow` and `changeRows`, without the insert into the audit log. */
  changeText(callArguments: readonly Expression[]): string {
    const callback = callArguments.find(
      (argument) =>
        isArrowFunction(argument) && isObjectLiteralExpression(this.#resultOf(argument)),
    );
    if (!callback || !isArrowFunction(callback)) throw new UnknownText('no changes');
    const changes = this.#resultOf(callback);
    const part = (name: string, otherwise = '') => {
      const value = this.#propertyOf(changes, name);
      return value ? this.#read(value, noBindings) : otherwise;
    };
    return `with ${part('before')} changed as (${part('statement')}) ${part('after')} ${part('answer', 'select * from changed')}`;
  }

  #isFragment(expression: Expression): boolean {
    const type = this.#checker.getTypeAtLocation(expression);
    return type !== undefined && /\bFragment\b/.test(this.#checker.typeToString(type));
  }

  #read(node: Expression, bindings: Bindings): string {
    if (isParenthesizedExpression(node)) return this.#read(node.expression, bindings);
    if (isTaggedTemplateExpression(node)) return this.templateText(node.template, bindings);
    if (isConditionalExpression(node))
      return this.#readFirst([node.whenFalse, node.whenTrue], bindings);
    if (isBinaryExpression(node)) return this.#readFirst([node.right, node.left], bindings);
    if (isIdentifier(node)) return this.#readName(node, bindings);
    if (isCallExpression(node)) return this.#readCall(node.expression, node.arguments, bindings);
    const entry = this.#entryOf(node);
    if (entry) return this.#read(entry, noBindings);
    throw new UnknownText('another expression');
  }

  #readFirst(alternatives: readonly Expression[], bindings: Bindings): string {
    for (const [at, alternative] of alternatives.entries()) {
      try {
        return this.#read(alternative, bindings);
      } catch (error) {
        if (!(error instanceof UnknownText) || at === alternatives.length - 1) throw error;
      }
    }
    throw new UnknownText('no alternative');
  }

  #readName(name: Node & { text: string }, bindings: Bindings): string {
    const bound = bindings.get(name.text);
    if (bound?.value) return this.#read(bound.value, bound.bindings);
    const value = this.#initializerOf(name);
    if (!value) throw new UnknownText(name.text);
    return this.#read(value, bindings);
  }

  /** The value of a constant, or of a part of an object that is taken apart. */
  #initializerOf(name: Node & { text: string }): Expression | undefined {
    const declaration = this.#declarationOf(name);
    if (declaration && isVariableDeclaration(declaration)) return declaration.initializer;
    if (!declaration || !isBindingElement(declaration)) return undefined;
    const { parent } = declaration;
    const source = isVariableDeclaration(parent.parent) ? parent.parent.initializer : undefined;
    if (source && isObjectBindingPattern(parent)) return this.#propertyOf(source, name.text);
    if (!source || !isArrayBindingPattern(parent)) return undefined;
    const list = isConditionalExpression(source) ? source.whenFalse : source;
    return isArrayLiteralExpression(list)
      ? list.elements[parent.elements.indexOf(declaration)]
      : undefined;
  }

  /** The value of `table[name]`, by its first entry, and of `object.name`. */
  #entryOf(node: Expression): Expression | undefined {
    if (isPropertyAccessExpression(node)) return this.#propertyOf(node.expression, node.name.text);
    if (!isElementAccessExpression(node)) return undefined;
    const first = this.#objectOf(node.expression)?.properties[0];
    return first && isPropertyAssignment(first) ? first.initializer : undefined;
  }

  #objectOf(node: Expression): ObjectLiteralExpression | undefined {
    if (isObjectLiteralExpression(node)) return node;
    if (isParenthesizedExpression(node) || isSatisfiesExpression(node))
      return this.#objectOf(node.expression);
    if (isConditionalExpression(node))
      return this.#objectOf(node.whenFalse) ?? this.#objectOf(node.whenTrue);
    const value = isIdentifier(node) ? this.#initializerOf(node) : this.#entryOf(node);
    return value && this.#objectOf(value);
  }

  #readCall(callee: Expression, callArguments: readonly Expression[], outer: Bindings): string {
    const declaration = this.#declarationOf(callee);
    const called =
      declaration && isVariableDeclaration(declaration) ? declaration.initializer : declaration;
    if (!called || !(isArrowFunction(called) || isFunctionDeclaration(called)))
      throw new UnknownText('an unknown function');
    const bindings = new Map(outer);
    for (const [at, { name, initializer }] of called.parameters.entries()) {
      const value = callArguments[at] ?? initializer;
      if (isIdentifier(name)) bindings.set(name.text, { value, bindings: outer });
      else if (isObjectBindingPattern(name))
        for (const element of name.elements) {
          if (!isBindingElement(element) || !element.name || !isIdentifier(element.name)) continue;
          const key = element.propertyName ?? element.name;
          bindings.set(element.name.text, {
            value:
              (value && isIdentifier(key) && this.#propertyOf(value, key.text)) ||
              element.initializer,
            bindings: outer,
          });
        }
    }
    return this.#read(this.#resultOf(called), bindings);
  }

  /** The expression that a function returns. */
  #resultOf(called: { body?: Node | undefined }): Expression {
    const { body } = called;
    if (!body) throw new UnknownText('no body');
    if (!isBlock(body)) {
      const expression = body as Expression;
      return isParenthesizedExpression(expression) ? expression.expression : expression;
    }
    const result = body.statements.filter(isReturnStatement).at(-1)?.expression;
    if (!result) throw new UnknownText('no result');
    return result;
  }

  #propertyOf(object: Expression, name: string): Expression | undefined {
    for (const property of this.#objectOf(object)?.properties ?? []) {
      if (isSpreadAssignment(property)) {
        const spread = this.#propertyOf(property.expression, name);
        if (spread) return spread;
      } else if (
        isShorthandPropertyAssignment(property) &&
        isIdentifier(property.name) &&
        property.name.text === name
      )
        return property.name;
      else if (
        isPropertyAssignment(property) &&
        isIdentifier(property.name) &&
        property.name.text === name
      )
        return property.initializer;
    }
    return undefined;
  }

  #declarationOf(node: Node): Node | undefined {
    const isShorthand = node.parent && isShorthandPropertyAssignment(node.parent);
    const symbol = isShorthand
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.#checker.getSymbolAtLocation(isPropertyAccessExpression(node) ? node.name : node);
    const resolved =
      symbol && symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return resolved?.valueDeclaration?.resolve(this.#project);
  }
}
