import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { markCitations } from './mark-citations.ts';

/** How a marker like [1] is shown; while an answer is written it is a number only. */
export const MarkerContext = createContext<(marker: number) => ReactNode>((marker) => marker);

const plugins = [remarkGfm, markCitations];
// The page has its headings already; those of an answer stand below them.
const headings = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6' } as const;
const components = { ...headings, a: ModelLink, img: ModelPicture, sup: Superscript };

/**
 * What a model wrote. It is never HTML of ours: tags in it are words, pictures are links, and links
 * say nothing of where they stand.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
}

function Superscript({
  node: _,
  children,
  ...rest
}: ComponentProps<'sup'> & { node?: unknown; 'data-marker'?: string }) {
  const show = useContext(MarkerContext);
  const marker = rest['data-marker'];
  return <sup>{marker === undefined ? children : show(Number(marker))}</sup>;
}

/** Only an address elsewhere is a link: one into the console would look like a part of it. */
function ModelLink({ href = '', children }: ComponentProps<'a'>) {
  if (!/^(https?:|mailto:)/i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function ModelPicture({ src, alt }: ComponentProps<'img'>) {
  return <ModelLink href={typeof src === 'string' ? src : ''}>{alt || 'Picture'}</ModelLink>;
}
