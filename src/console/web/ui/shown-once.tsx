import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { FormButtons } from './form.tsx';

type ShownOnceProps = { label: string; secret: string; onDone: () => void; children?: ReactNode };

/**
 * A secret at the one moment when it can be seen. Once it is done with, it is nowhere in the page.
 */
export function ShownOnce({ label, secret, onDone, children }: ShownOnceProps) {
  return (
    <div className="shown-once">
      <p>
        <strong>Copy it now.</strong> It is not kept in a form that could be shown again.
      </p>
      <div className="secret">
        <output aria-label={label}>
          <code>{secret}</code>
        </output>
        <CopyButton text={secret} />
      </div>
      {children}
      <FormButtons>
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </FormButtons>
    </div>
  );
}
