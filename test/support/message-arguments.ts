import { compileAll } from '../../src/console/compile-texts.ts';

const kinds: Readonly<Record<number, string>> = {
  1: 'select',
  2: 'number',
  3: 'number',
  4: 'number',
};

/** The names and types of the arguments and tags of a message, without regard to their order. */
export function argumentsOf(message: string): string[] {
  const found = new Set<string>();
  const visitAll = (nodes: unknown): void => {
    for (const node of Array.isArray(nodes) ? nodes : []) visit(node);
  };
  // A part is a text, the sign # of a plural, [argument], [argument, kind, branches], or [tag, parts].
  const visit = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    const [name, kind, branches] = node;
    if (kind === undefined) found.add(String(name));
    else if (typeof kind === 'number' && kind !== 0) {
      found.add(`${name} ${kinds[kind] ?? 'value'}`);
      Object.values(Object(branches)).forEach(visitAll);
    } else {
      found.add(`<${name}>`);
      visitAll(node.slice(1));
    }
  };
  visitAll(compileAll({ text: message })['text']);
  return [...found].sort();
}
