type Place = { offset?: number | undefined };
type MarkdownNode = {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  position?: { start: Place; end: Place } | undefined;
};

/**
 * Turns `$` signs that surround no formula back into text, by the rules of Pandoc: the first one is
 * followed by a character that is not white space, and the last one follows such a character and is
 * not followed by a digit. So "between $5 and $10" has no formula.
 */
export const plainDollars = () => (tree: MarkdownNode, file: { value: unknown }) =>
  replaceIn(tree, String(file.value));

function replaceIn(node: MarkdownNode, source: string): void {
  node.children?.forEach((child, index, children) => {
    replaceIn(child, source);
    const { type, position } = child;
    if (type !== 'inlineMath') return;
    const end = position?.end.offset ?? 0;
    const written = source.slice(position?.start.offset ?? 0, end);
    const isFormula =
      written.startsWith('$$') ||
      (/^\$\S/.test(written) && /\S\$$/.test(written) && !/^\d/.test(source.slice(end, end + 1)));
    if (!isFormula) children[index] = { type: 'text', value: written };
  });
}
