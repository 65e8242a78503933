import type { ReactNode } from 'react';
import { richText, t } from '../texts/text.ts';
import { Button, CopyButton } from './button.tsx';
import { useStayOpen } from './dialog.tsx';
import { FormButtons } from './form.tsx';

/** A text with a button that copies it. */
export const CopyBox = ({
  text,
  shown = text,
  label,
  copyLabel,
}: {
  text: string;
  shown?: string;
  /** The name of the text for screen readers. */
  label?: string;
  copyLabel?: string;
}) => (
  <div className="secret spread">
    {label === undefined ? (
      <code>{shown}</code>
    ) : (
      <output aria-label={label}>
        <code>{shown}</code>
      </output>
    )}
    <CopyButton text={text} label={copyLabel} />
  </div>
);

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
  useStayOpen();
  return (
    <>
      <p>{richText('ui.copyNow', { b: (text) => <strong>{text}</strong> })}</p>
      <CopyBox label={label} text={secret} />
      {children}
      <FormButtons>
        <Button kind="primary" onClick={onDone}>
          {t('ui.done')}
        </Button>
      </FormButtons>
    </>
  );
}
