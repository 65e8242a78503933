import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';

export function TextField({ label, hint, error, ...rest }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error} required={rest.required}>
      {(attributes) => <input type="text" {...rest} {...attributes} />}
    </Field>
  );
}
