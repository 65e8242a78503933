import {
  type ComponentProps,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { ApiFault } from '../graph/fault.ts';
import { Button, type ButtonKind } from './button.tsx';
import { useUnsavedChanges } from './use-unsaved-changes.ts';

export type FormProps = {
  label: string;
  onSubmit: (data: FormData) => unknown;
  /**
   * Whether the submission is running, and why the last one failed. The message gets the focus, so
   * it is read out and scrolled into view.
   */
  action?: { busy: boolean; fault: ApiFault | undefined };
  /** The label of the button that submits; without one the form contains its own buttons. */
  submit?: string;
  submitKind?: ButtonKind;
  /** The buttons before the one that submits. */
  buttons?: ReactNode;
  className?: string;
  /** Asks before the page is left with changes that were not submitted. */
  guardsChanges?: boolean;
  children: ReactNode;
};

export function Form({
  label,
  onSubmit,
  action: { busy, fault } = { busy: false, fault: undefined },
  submit,
  submitKind = 'primary',
  buttons,
  className,
  guardsChanges = false,
  children,
}: FormProps) {
  const [isChanged, setChanged] = useState(false);
  useUnsavedChanges(guardsChanges && isChanged);
  const alert = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!fault) return;
    alert.current?.focus();
    setChanged(true);
  }, [fault]);
  const handleSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChanged(false);
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form
      onSubmit={handleSubmit}
      aria-label={label}
      className={className}
      onInput={() => setChanged(true)}
    >
      {fault && (
        <p className="notice notice-bad" role="alert" tabIndex={-1} ref={alert}>
          {fault.message}
        </p>
      )}
      {children}
      {submit && (
        <FormButtons>
          {buttons}
          <Button type="submit" kind={submitKind} busy={busy}>
            {submit}
          </Button>
        </FormButtons>
      )}
    </form>
  );
}

/**
 * The buttons at the end of a form or dialog. The primary button comes last in reading order and
 * stands on the right.
 */
export const FormButtons = ({ children }: Pick<ComponentProps<'div'>, 'children'>) => (
  <div className="form-buttons">{children}</div>
);

/** The text of a form field, without surrounding white space. Empty for a file field. */
export function fieldText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The number in a form field; null when the field is empty. */
export function fieldNumber(data: FormData, name: string): number | null {
  const text = fieldText(data, name);
  return text === '' ? null : Number(text);
}
