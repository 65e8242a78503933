import { CopyButton } from './button.tsx';

type CodeBlockProps = { label: string; text: string; copyLabel?: string };

/** A code example with a copy button. Long lines wrap, so that nobody has to scroll sideways. */
export function CodeBlock({ label, text, copyLabel }: CodeBlockProps) {
  return (
    <figure className="code-block">
      <figcaption className="spread">
        <span>{label}</span>
        <CopyButton text={text} label={copyLabel} />
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
