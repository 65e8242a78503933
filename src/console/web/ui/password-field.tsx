import { type ComponentProps, useState } from 'react';
import { Button } from './button.tsx';
import { Field, type FieldProps } from './field.tsx';

export function PasswordField({
  label,
  hint,
  error,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} required={rest.required}>
      {(attributes) => (
        <span className="with-button">
          <input
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...attributes}
          />
          <Button kind="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
            <span className="sr-only"> {label.toLowerCase()}</span>
          </Button>
        </span>
      )}
    </Field>
  );
}
