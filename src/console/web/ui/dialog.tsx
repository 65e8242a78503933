import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { ApiFault } from '../graph/fault.ts';
import { t } from '../texts/text.ts';
import { Button, IconButton } from './button.tsx';
import { Form, FormButtons, type FormProps } from './form.tsx';
import { FaultNote } from './status.tsx';
import { useToast } from './toast.tsx';

type DialogProps = {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
};

const firstField = ':is(input:not([hidden], [readonly]), select, textarea):not(:disabled)';

const StayOpen = createContext<(staysOpen: boolean) => void>(() => undefined);

/**
 * Keeps the dialog around the component open until one of its buttons closes it, because its
 * content is not shown again. Escape and the button in the corner have no effect.
 */
export function useStayOpen(): void {
  const setStaysOpen = useContext(StayOpen);
  useEffect(() => {
    setStaysOpen(true);
    return () => setStaysOpen(false);
  }, [setStaysOpen]);
}

/**
 * A modal dialog. The browser keeps the focus inside and closes it on Escape. When it closes, the
 * element that opened it gets the focus back.
 */
export function Dialog({ title, open, onClose, children, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [staysOpen, setStaysOpen] = useState(false);
  useEffect(() => {
    if (!open) return undefined;
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    // The browser would focus the button that closes the dialog. The first field is what a person
    // needs, and without a field the first button of the contents, which cancels.
    const first =
      element?.querySelector<HTMLElement>(firstField) ??
      element?.querySelector<HTMLElement>('.form-buttons button:not(:disabled)');
    first?.focus();
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
        if (!staysOpen) onClose();
      }}
      // A browser that was asked to close a dialog twice closes it without the event above.
      onKeyDown={(event) => {
        if (staysOpen && event.key === 'Escape') event.preventDefault();
      }}
    >
      {staysOpen ? (
        <header className="dialog-head spread">
          <h2 id={id}>{title}</h2>
        </header>
      ) : (
        <DialogHead title={<h2 id={id}>{title}</h2>} onClose={onClose} />
      )}
      <StayOpen value={setStaysOpen}>{children}</StayOpen>
    </dialog>
  );
}

export const DialogHead = ({ title, onClose }: { title: ReactNode; onClose: () => void }) => (
  <header className="dialog-head spread">
    {title}
    <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
  </header>
);

type OpenerProps = Omit<
  ComponentProps<typeof Button>,
  'title' | 'children' | 'onClick' | 'onSubmit'
> & {
  /** The label of the button. */
  label: string;
  title: string;
  wide?: boolean;
};

type DialogButtonProps = OpenerProps & {
  children: (close: () => void) => ReactNode;
  onClose?: () => void;
};

/** A button that opens a dialog. */
export function DialogButton({
  label,
  title,
  wide = false,
  children,
  onClose,
  ...button
}: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onClose?.();
  };
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {/* A new title is a new dialog, which takes the focus. */}
      <Dialog key={title} title={title} open={isOpen} onClose={close} wide={wide}>
        {isOpen && children(close)}
      </Dialog>
    </>
  );
}

type FormAction = { busy: boolean; fault: ApiFault | undefined; clear?: () => void };

type FormDialogProps = OpenerProps &
  Pick<FormProps, 'onSubmit' | 'submitKind' | 'children'> & {
    action: FormAction;
    submit: string;
    /** More buttons before the one that cancels. */
    buttons?: (close: () => void) => ReactNode;
    /** The accessible name of the form; by default the title. */
    formLabel?: string;
    /** Shown in place of the form when there is a result. */
    result?: ((close: () => void) => ReactNode) | undefined;
    onClose?: () => void;
    /** Called after the dialog closed because of a result. */
    onDone?: (() => void) | undefined;
  };

/** A button that opens a form in a dialog. It closes when `onSubmit` resolves with something. */
export function FormDialog({
  action: { busy, fault, clear },
  onSubmit,
  submit,
  submitKind = 'primary',
  formLabel,
  buttons,
  result,
  children,
  onClose,
  onDone,
  ...opener
}: FormDialogProps) {
  return (
    <DialogButton
      {...opener}
      onClose={() => {
        clear?.();
        onClose?.();
      }}
    >
      {(close) =>
        result?.(close) ?? (
          <Form
            label={formLabel ?? opener.title}
            onSubmit={async (data) => {
              if (!(await onSubmit(data))) return;
              close();
              onDone?.();
            }}
            action={{ busy, fault }}
            submit={submit}
            submitKind={submitKind}
            buttons={
              <>
                {buttons?.(close)}
                <Button onClick={close}>{t('ui.cancel')}</Button>
              </>
            }
          >
            {children}
          </Form>
        )
      }
    </DialogButton>
  );
}

type ConfirmButtonProps = Omit<OpenerProps, 'wide' | 'title'> & {
  title?: string;
  /** Explains what will happen. */
  question: ReactNode;
  confirmLabel: string;
  onConfirm: () => unknown;
  /** The message when `onConfirm` resolved with a result. */
  done?: string;
  /** Whether the action is running, and why it failed, when nothing else shows that. */
  action?: FormAction;
};

/** A button that asks for confirmation before an action that cannot be undone. */
export function ConfirmButton({
  title = t('ui.areYouSure'),
  question,
  confirmLabel,
  onConfirm,
  done,
  action,
  kind = 'danger',
  ...opener
}: ConfirmButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const toast = useToast();
  const confirm = async (close: () => void) => {
    setBusy(true);
    const result = await onConfirm();
    setBusy(false);
    close();
    if (result && done) toast.show(done);
  };
  return (
    <>
      <FaultNote fault={action?.fault} />
      <DialogButton {...opener} kind={kind} title={title}>
        {(close) => (
          <>
            <div>{question}</div>
            <FormButtons>
              <Button onClick={close}>{t('ui.cancel')}</Button>
              <Button
                kind={kind === 'danger' ? 'danger' : 'primary'}
                busy={action?.busy ?? isBusy}
                onClick={() => confirm(close)}
              >
                {confirmLabel}
              </Button>
            </FormButtons>
          </>
        )}
      </DialogButton>
    </>
  );
}
