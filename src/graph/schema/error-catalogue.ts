import { errorReasonCatalogue } from '../../platform/error-reasons.ts';
import { errorCatalogue, fieldErrorCatalogue } from '../../platform/errors.ts';
import { builder } from './builder.ts';

const namesOf = <Name extends string>(catalogue: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(catalogue) as Name[];

/** A meaning of a catalogue as a sentence. */
export const sentenceOfMeaning = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const describedBy = <Name extends string>(
  catalogue: Readonly<Record<Name, string | { meaning: string }>>,
) =>
  Object.fromEntries(
    namesOf(catalogue).map((name) => {
      const entry = catalogue[name];
      return [
        name,
        { description: sentenceOfMeaning(typeof entry === 'string' ? entry : entry.meaning) },
      ];
    }),
  ) as Record<Name, { description: string }>;

export const ErrorCode = builder.enumType('ErrorCode', {
  description: 'The `code` in the extensions of an error. A code never changes its meaning.',
  values: describedBy(errorCatalogue),
});

export const FieldErrorCode = builder.enumType('FieldErrorCode', {
  description: 'The `code` of one invalid value, in the `errors` of the extensions of an error.',
  values: describedBy(fieldErrorCatalogue),
});

const ErrorReason = builder.enumType('ErrorReason', {
  description:
    'The `reason` in the extensions of an error, for clients that distinguish more than codes.',
  values: describedBy(errorReasonCatalogue),
});

/** Modules add the reasons of their own operations. */
export const ErrorCatalogue = builder.objectRef<object>('ErrorCatalogue').implement({
  description:
    'Every code that the extensions of an error can have: `{ code: ErrorCode!, reason: ErrorReason, requestId: String!, errors: [{ path, code: FieldErrorCode!, message }], retryAfterSeconds: Int }`.',
  fields: (t) => ({
    codes: t.field({
      type: [ErrorCode],
      description: 'Every code that an error can have.',
      resolve: () => namesOf(errorCatalogue),
    }),
    fieldCodes: t.field({
      type: [FieldErrorCode],
      description: 'Every code that an invalid value can have.',
      resolve: () => namesOf(fieldErrorCatalogue),
    }),
    reasons: t.field({
      type: [ErrorReason],
      description: 'Every reason that an error can have.',
      resolve: () => namesOf(errorReasonCatalogue),
    }),
  }),
});

builder.queryField('errorCatalogue', (t) =>
  t.field({
    type: ErrorCatalogue,
    description: 'The codes and reasons that the extensions of an error can have.',
    // This field needs no scope: the catalogue is part of the documentation.
    authScopes: {},
    resolve: () => ({}),
  }),
);
