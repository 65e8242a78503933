type MarkdownNode = {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  data?: { hName: string; hProperties: Record<string, string> };
};

const markerPattern = /\[(\d{1,4})\]/;

/**
 * Turns each marker like [1] in the text into an element `<sup data-marker>`. Markdown cannot
 * produce that element, so an answer cannot fake a citation. Code and link texts stay unchanged.
 */
export const markCitations = () => (tree: MarkdownNode) => visit(tree);

function visit(node: MarkdownNode): void {
  if (!node.children || node.type === 'link' || node.type === 'linkReference') return;
  node.children = node.children.flatMap((child) =>
    child.type === 'text' ? splitAtMarkers(child.value ?? '') : [child],
  );
  for (const child of node.children) visit(child);
}

const splitAtMarkers = (text: string): MarkdownNode[] =>
  text.split(markerPattern).flatMap((piece, index): MarkdownNode[] => {
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
