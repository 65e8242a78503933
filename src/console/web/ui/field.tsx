import { type ReactNode, useId } from 'react';

export type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined };
type FieldAttributes = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

/**
 * The label, hint and error message of an input. `children` receives the attributes that connect
 * the input to them.
 */
export function Field({
  label,
  hint,
  error,
  required,
  children,
}: FieldProps & {
  required?: boolean | undefined;
  children: (attributes: FieldAttributes) => ReactNode;
}) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required === false && <span className="quiet"> (optional)</span>}
      </label>
      {children({
        id,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
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
