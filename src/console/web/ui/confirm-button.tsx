import { type ReactNode, useState } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './form.tsx';

type ConfirmButtonProps = {
  label: ReactNode;
  /** Explains what will happen. */
  question: ReactNode;
  confirmLabel: string;
  onConfirm: () => unknown;
  kind?: ButtonKind;
  title?: string;
  disabled?: boolean;
};

/** A button that asks for confirmation before an action that cannot be undone. */
export function ConfirmButton({
  label,
  question,
  confirmLabel,
  onConfirm,
  kind = 'danger',
  title = 'Are you sure?',
  disabled = false,
}: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onConfirm();
    setBusy(false);
    setOpen(false);
  };
  return (
    <>
      <Button kind={kind} disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} open={isOpen} onClose={() => setOpen(false)}>
        <div>{question}</div>
        <FormButtons>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button kind={kind === 'danger' ? 'danger' : 'primary'} busy={isBusy} onClick={confirm}>
            {confirmLabel}
          </Button>
        </FormButtons>
      </Dialog>
    </>
  );
}
