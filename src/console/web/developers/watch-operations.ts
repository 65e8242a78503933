import type { DocumentInput, Exchange, Operation } from '@urql/core';
import { pipe, tap } from 'wonka';

export type PageOperation = {
  /** Identifies the operation, also when the same one runs twice. */
  number: number;
  kind: 'query' | 'mutation';
  document: Exclude<DocumentInput, string>;
  /** The variables, with secrets masked. */
  variables: Record<string, unknown>;
  path: string;
};

/**
 * Active queries leave this map when their page is closed. The last mutations are kept while their
 * page is open.
 */
const activeQueries = new Map<number, PageOperation>();
let recentMutations: readonly PageOperation[] = [];
const recentMutationsMax = 10;
let lastNumber = 0;

const secretName = /password|secret|token|code$/i;
/** Copies the variables and masks their secrets, so that no password or file is kept in memory. */
const withoutSecrets = (variables: object): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(variables, (name, value: unknown) =>
      secretName.test(name) && typeof value === 'string' ? '…' : value,
    ),
  );

function recordOperation({ kind, key, query, variables }: Operation): void {
  if (kind === 'teardown') activeQueries.delete(key);
  if (kind !== 'query' && kind !== 'mutation') return;
  lastNumber += 1;
  const operation: PageOperation = {
    number: lastNumber,
    kind,
    document: query,
    variables: withoutSecrets(variables ?? {}),
    path: location.pathname,
  };
  if (kind === 'query') activeQueries.set(key, operation);
  else
    recentMutations = [
      ...recentMutations.filter(({ path }) => path === operation.path),
      operation,
    ].slice(-recentMutationsMax);
}

/**
 * An urql exchange that records the operations of the console. `mapExchange` of urql does not report
 * when a query ends.
 */
export const watchOperations: Exchange =
  ({ forward }) =>
  (operations) =>
    forward(pipe(operations, tap(recordOperation)));

/** The operations of the current page, in the order in which they ran. */
export const pageOperations = (): readonly PageOperation[] => [
  ...activeQueries.values(),
  ...recentMutations.filter(({ path }) => path === location.pathname),
];
