import type { DocumentInput, Exchange, Operation } from '@urql/core';

export type ShownOperation = {
  /** Tells one from another, the same thing done twice included. */
  number: number;
  kind: 'query' | 'mutation';
  document: Exclude<DocumentInput, string>;
  /** Without secrets: those are neither kept nor shown. */
  variables: Record<string, unknown>;
  path: string;
};

/**
 * Questions end when the page that asked them is left; of what was done, the last few are
 * remembered while its page is shown.
 */
const questions = new Map<number, ShownOperation>();
let recentMutations: readonly ShownOperation[] = [];
const recentMutationsMax = 10;
let noted = 0;

const secretName = /password|secret|token|code$/i;
/** A copy, for what a file or a password was is nobody's business later. */
const withoutSecrets = (variables: object): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(variables, (name, value: unknown) =>
      secretName.test(name) && typeof value === 'string' ? '…' : value,
    ),
  );

function note({ kind, key, query, variables }: Operation): void {
  if (kind === 'teardown') questions.delete(key);
  if (kind !== 'query' && kind !== 'mutation') return;
  noted += 1;
  const operation: ShownOperation = {
    number: noted,
    kind,
    document: query,
    variables: withoutSecrets(variables ?? {}),
    path: location.pathname,
  };
  if (kind === 'query') questions.set(key, operation);
  else
    recentMutations = [
      ...recentMutations.filter(({ path }) => path === operation.path),
      operation,
    ].slice(-recentMutationsMax);
}

/**
 * Stands among the client's exchanges and notes what the console asks. It listens to the stream by
 * hand, since the library's own `mapExchange` does not hear of questions that end.
 */
export const watchOperations: Exchange =
  ({ forward }) =>
  (operations) =>
    forward((sink) =>
      operations((signal) => {
        if (signal !== 0 && signal.tag === 1) note(signal[0]);
        sink(signal);
      }),
    );

/** What the page that is shown now has asked and done, in the order in which it did. */
export const shownOperations = (): readonly ShownOperation[] => [
  ...questions.values(),
  ...recentMutations.filter(({ path }) => path === location.pathname),
];
