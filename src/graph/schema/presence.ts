import type { FieldError } from '../../platform/errors.ts';

/**
 * Rules for an argument, or for a field of the argument `input`, that GraphQL types cannot express:
 * NEVER_NULL may be omitted but must not be null, ALWAYS_SENT may be null but must not be omitted.
 * GraphQL, REST and OpenAPI read the rule from the extensions of the argument or field.
 */
export type ArgumentPresence = 'NEVER_NULL' | 'ALWAYS_SENT';

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    presence?: ArgumentPresence;
  }
  interface GraphQLInputFieldExtensions {
    presence?: ArgumentPresence;
  }
}

const presenceOptions = <Kind extends ArgumentPresence>(presence: Kind) => ({
  required: false as const,
  extensions: { presence },
});

/** Argument options to spread: an omitted value leaves the field unchanged, and null is invalid. */
export const neverNull = presenceOptions('NEVER_NULL');

/** Argument options to spread: null has a meaning, and the argument must be sent. */
export const alwaysSent = presenceOptions('ALWAYS_SENT');

/** Whether a value violates the rule: null, or undefined if it was omitted. */
export const violatesPresence = (presence: unknown, value: unknown): boolean =>
  (presence === 'NEVER_NULL' && value === null) ||
  (presence === 'ALWAYS_SENT' && value === undefined);

export const presenceFault = (field: string, presence: unknown): FieldError =>
  presence === 'NEVER_NULL'
    ? { field, code: 'NOT_NULLABLE', message: `${field} must not be null` }
    : { field, code: 'REQUIRED', message: `${field} is required` };
