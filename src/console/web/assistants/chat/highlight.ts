import { common, createLowlight } from 'lowlight';

/** A stretch of code with the CSS classes of its kind, such as a keyword or a string. */
export type CodePart = { text: string; className: string };

type HighlightedNode = ReturnType<typeof lowlight.highlight>['children'][number];

const lowlight = createLowlight(common);

/** Splits code into parts by the grammar of its language; undefined if the language is unknown. */
export function highlight(language: string, code: string): CodePart[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, code).children.flatMap((node) => partsOf(node, ''));
}

function partsOf(node: HighlightedNode, className: string): CodePart[] {
  if (node.type === 'text') return [{ text: node.value, className }];
  if (node.type !== 'element') return [];
  const { className: own } = node.properties;
  const names = Array.isArray(own) ? own.join(' ') : className;
  return node.children.flatMap((child) => partsOf(child, names));
}
