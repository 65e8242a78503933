import type { ClientError } from '../../http/client-error.ts';
import type { FieldErrorCode } from '../../platform/errors.ts';

type InvalidValue = { path: (string | number)[]; code: FieldErrorCode; message: string };
type ErrorExtensions = Omit<ClientError, 'message' | 'errors'> & { errors?: InvalidValue[] };

/** What GraphQL sends of an error besides its message. */
export const extensionsOf = ({ message, errors, ...rest }: ClientError): ErrorExtensions => ({
  ...rest,
  ...(errors && {
    errors: errors.map(({ field, ...fault }) => ({ path: pathOf(field), ...fault })),
  }),
});

/** The path of a field such as `input.messages[0].content`. */
export const pathOf = (field: string): (string | number)[] =>
  Array.from(field.matchAll(/\[(\d+)\]|[^.[\]]+/g), ([name, index]) =>
    index === undefined ? name : Number(index),
  );
