import { useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/**
 * Puts a text on the clipboard; where the browser refuses that, it says so, and the text can be
 * marked by hand.
 */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  const copy = async () => {
    setState(
      await navigator.clipboard.writeText(text).then(
        () => 'copied' as const,
        () => 'refused' as const,
      ),
    );
    setTimeout(() => setState('idle'), 2_000);
  };
  return (
    <Button onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">
        {state === 'idle' ? label : state === 'copied' ? 'Copied' : 'Please copy by hand'}
      </span>
    </Button>
  );
}
