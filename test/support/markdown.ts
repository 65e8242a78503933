import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The marker comment above a code block, and the block itself. */
export type CodeBlock = { language: string; marker: string; code: string };

export type MarkdownPage = {
  /** The path from the root of the repository. */
  file: string;
  text: string;
  /** The text without its code blocks. */
  prose: string;
  codeBlocks: CodeBlock[];
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const fence = /(?:^<!-- ([^\n]*?) -->\n)?^```(\w*)\n(.*?)^```$/gms;

/** The documentation: the documents at the root, and every page of docs/. */
export function documentationPages(): MarkdownPage[] {
  const files = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/**/*.md'];
  return globSync(files, { cwd: root })
    .toSorted()
    .map((file) => {
      const text = readFileSync(root + file, 'utf8');
      const codeBlocks = [...text.matchAll(fence)].map(
        ([, marker = '', language = '', code = '']) => ({
          language,
          marker,
          code,
        }),
      );
      return { file, text, prose: text.replaceAll(fence, ''), codeBlocks };
    });
}

/** The ids that a link into the page can name: those of its headings, as GitHub makes them, and `<a id>`. */
export function anchorsOf({ prose }: MarkdownPage): Set<string> {
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const named = [...prose.matchAll(/<a id="([\w-]+)"><\/a>/g)].map(([, id = '']) => id);
  return new Set([...headings, ...named]);
}
