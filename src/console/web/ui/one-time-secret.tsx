import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { FormButtons } from './form.tsx';

type OneTimeSecretProps = {
  label: string;
  secret: string;
  onDone: () => void;
  children?: ReactNode;
};

/**
 * Shows a secret once, right after it was created. When the person is done, it is removed from the
 * page.
 */
export function OneTimeSecret({ label, secret, onDone, children }: OneTimeSecretProps) {
  return (
    <div className="one-time-secret">
      <p>
        <strong>Copy it now.</strong> Atrium does not store it in readable form and cannot show it
        again.
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
