import { CopyButton } from '../ui/copy-button.tsx';
import './developers.css';

/** A code example with a copy button. Long lines wrap, so that nobody has to scroll sideways. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <figure className="developers-code">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
