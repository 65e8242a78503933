type Node = {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hName: string; hProperties: Record<string, string> };
};

const marker = /\[(\d{1,4})\]/;

/**
 * Makes of each marker like [1] in a text an element of its own, `<sup data-marker>`. No markdown
 * can write that, so what is shown as a citation is one. Code and the words of links stay as they
 * are.
 */
export const markCitations = () => (tree: Node) => visit(tree);

function visit(node: Node): void {
  if (!node.children || node.type === 'link' || node.type === 'linkReference') return;
  node.children = node.children.flatMap((child) =>
    child.type === 'text' ? marked(child.value ?? '') : [child],
  );
  for (const child of node.children) visit(child);
}

const marked = (text: string): Node[] =>
  text.split(marker).flatMap((piece, index): Node[] => {
    if (index % 2 === 1)
      return [
        {
          type: 'citation',
          data: { hName: 'sup', hProperties: { dataMarker: piece } },
          children: [{ type: 'text', value: piece }],
        },
      ];
    return piece === '' ? [] : [{ type: 'text', value: piece }];
  });
