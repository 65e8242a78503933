import { useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/**
 * Copies a text to the clipboard. When the browser refuses that, the button tells the person to
 * copy the text by hand.
 */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string | undefined }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    setState(
      await navigator.clipboard.writeText(text).then(
        () => 'copied' as const,
        () => 'failed' as const,
      ),
    );
    setTimeout(() => setState('idle'), 2_000);
  };
  return (
    <Button onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">
        {state === 'idle' ? label : state === 'copied' ? 'Copied' : 'Copy it by hand'}
      </span>
    </Button>
  );
}
