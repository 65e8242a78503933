import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import ReactMarkdown, { type ExtraProps } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import { t } from '../../texts/text.ts';
import { AnswerCode } from './answer-code.tsx';
import { AnswerMath } from './answer-math.tsx';
import { markCitations } from './mark-citations.ts';
import { plainDollars } from './plain-dollars.ts';

/** Renders a marker like [1]. While an answer is being written, a marker is a plain number. */
export const MarkerContext = createContext<(marker: number) => ReactNode>((marker) => marker);

const plugins = [remarkGfm, remarkMath, plainDollars, withoutUnderlinedHeadings, markCitations];
// The page uses h1 and h2, so headings of an answer start at h3.
const headings = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6' } as const;
const components = {
  ...headings,
  a: ModelLink,
  code: InlineCode,
  img: ModelImage,
  pre: ModelCode,
  sup: Superscript,
};

/**
 * Renders the Markdown that a model wrote. HTML tags are shown as text, images become links, and
 * links send no referrer.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
}

/**
 * A line of hyphens would make the paragraph above it a heading. While an answer is being written,
 * the first hyphen of a list would do that for a moment.
 */
function withoutUnderlinedHeadings(this: { data: () => object }): void {
  const data: { micromarkExtensions?: object[] } = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { disable: { null: ['setextUnderline'] } },
  ];
}

function ModelCode({ node }: ExtraProps) {
  const [element] = node?.children ?? [];
  if (element?.type !== 'element') return null;
  const code = element.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
  if (isMath(element)) return <AnswerMath formula={code.trim()} isBlock />;
  const [, language] = /language-(\S+)/.exec(String(element.properties['className'])) ?? [];
  return <AnswerCode language={language} code={code.replace(/\n$/, '')} />;
}

/** Code within a sentence, or a formula. */
function InlineCode({ node, children }: ComponentProps<'code'> & ExtraProps) {
  const [text] = node?.children ?? [];
  if (node && isMath(node) && text?.type === 'text')
    return <AnswerMath formula={text.value} isBlock={false} />;
  return <code>{children}</code>;
}

const isMath = ({ properties }: { properties: Record<string, unknown> }): boolean =>
  String(properties['className']).includes('language-math');

function Superscript({
  node: _,
  children,
  ...rest
}: ComponentProps<'sup'> & { node?: unknown; 'data-marker'?: string }) {
  const show = useContext(MarkerContext);
  const marker = rest['data-marker'];
  return <sup>{marker === undefined ? children : show(Number(marker))}</sup>;
}

/**
 * Only absolute addresses become links: a link into the console would look like a part of it. On a
 * page with the same scheme `https:path` is a path, too.
 */
function ModelLink({ href = '', children }: ComponentProps<'a'>) {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function ModelImage({ src, alt }: ComponentProps<'img'>) {
  return <ModelLink href={typeof src === 'string' ? src : ''}>{alt || t('chat.image')}</ModelLink>;
}
