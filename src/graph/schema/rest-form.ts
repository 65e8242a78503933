/**
 * The form in which REST takes a value, if it is not that of the graph. `parse` returns the value as
 * a client of the graph would send it, or throws an InputFault.
 */
export type RestForm = {
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly parse: (value: unknown) => unknown;
};

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    restForm?: RestForm;
  }
  interface GraphQLInputFieldExtensions {
    restForm?: RestForm;
  }
}
