import { type ReactNode, useId } from 'react';

export type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined };
type Wiring = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

/** The label, hint and fault around an input; `children` is given what ties them together. */
export function Field({
  label,
  hint,
  error,
  required,
  children,
}: FieldProps & { required?: boolean | undefined; children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required === false && <span className="quiet"> (optional)</span>}
      </label>
      {children({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="hint fault" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
