import type { ReactNode } from 'react';
import { CopyButton } from './button.tsx';

type CodeBlockProps = {
  label: string;
  text: string;
  copyLabel?: string;
  /** The text as it is shown; by default as it is. */
  children?: ReactNode;
};

/** A code example with a copy button. Long lines wrap, so that nobody has to scroll sideways. */
export function CodeBlock({ label, text, copyLabel, children = text }: CodeBlockProps) {
  return (
    <figure className="code-block">
      <figcaption className="spread">
        <span>{label}</span>
        <CopyButton text={text} label={copyLabel} />
      </figcaption>
      <pre>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
