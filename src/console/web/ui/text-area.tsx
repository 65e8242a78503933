import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';

export function TextArea({ label, hint, error, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error} required={rest.required}>
      {(attributes) => <textarea rows={4} {...rest} {...attributes} />}
    </Field>
  );
}
