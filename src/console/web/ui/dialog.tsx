import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

type DialogProps = {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
};

/**
 * A modal dialog. The browser keeps the focus inside and closes it on Escape. When it closes, the
 * element that opened it gets the focus back.
 */
export function Dialog({ title, open, onClose, children, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return undefined;
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      // React has already removed the dialog, so the browser cannot restore the focus by itself.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={dialog}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        // The page controls whether the dialog is open, so the browser must not close it by itself.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" onClick={onClose}>
          <Icon name="close" />
          <span className="sr-only">Close</span>
        </Button>
      </header>
      {children}
    </dialog>
  );
}
