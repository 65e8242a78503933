import { type ComponentProps, useId } from 'react';

export function CheckField({
  label,
  hint,
  ...rest
}: { label: string; hint?: string } & Omit<ComponentProps<'input'>, 'type'>) {
  const id = useId();
  return (
    <div className="field choice">
      <input
        type="checkbox"
        {...rest}
        id={id}
        {...(hint ? { 'aria-describedby': `${id}-hint` } : {})}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
