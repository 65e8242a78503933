import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';

type SelectOption = { value: string; label: string };

export function SelectField({
  label,
  hint,
  error,
  options,
  ...rest
}: FieldProps & { options: readonly SelectOption[] } & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <select {...rest} {...attributes}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
