import { CopyButton } from '../ui/copy-button.tsx';
import './developers.css';

/** Text to be pasted elsewhere. It wraps, so that nothing of it has to be scrolled into view. */
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
