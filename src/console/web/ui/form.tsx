import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';
import type { ApiFault } from '../graph/fault.ts';

type FormProps = {
  onSubmit: (data: FormData) => unknown;
  /**
   * Why the last submission failed. The message gets the focus, so it is read out and scrolled into
   * view.
   */
  fault?: ApiFault | undefined;
  children: ReactNode;
  label?: string;
  className?: string;
};

export function Form({ onSubmit, fault, children, label, className }: FormProps) {
  const alert = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (fault) alert.current?.focus();
  }, [fault]);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit} aria-label={label} className={className}>
      {fault && (
        <p className="notice notice-bad" role="alert" tabIndex={-1} ref={alert}>
          {fault.message}
        </p>
      )}
      {children}
    </form>
  );
}

/**
 * The buttons at the end of a form or dialog. The primary button comes last in reading order and
 * stands on the right.
 */
export function FormButtons({ children }: { children: ReactNode }) {
  return <div className="form-buttons">{children}</div>;
}
