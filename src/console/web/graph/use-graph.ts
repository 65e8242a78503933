import type { AnyVariables, CombinedError, DocumentInput } from '@urql/core';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useQuery } from 'urql';
import { useToast } from '../ui/toast.tsx';
import { client } from './client.ts';
import { type ApiFault, faultOf, isPassing } from './fault.ts';
import { awaitRenewal, onRenewal, reportExpiry } from './session-expiry.ts';
import { useLiveResult } from './use-live-result.ts';

export type GraphQueryResult<Data> = {
  data: Data | undefined;
  fault: ApiFault | undefined;
  loading: boolean;
  refetch: () => void;
};

type GraphQueryOptions = {
  pause?: boolean;
  /** Fetches again at this interval while the page is visible. */
  refreshMs?: number | undefined;
  /**
   * Nobody has asked for it: if the session has ended, the person is not asked to sign in again.
   */
  inBackground?: boolean;
  /** Shows changes within a second. `refreshMs` is for the time in which that does not work. */
  live?: boolean;
  /**
   * Type names of the result's lists. An empty list contains no type names, so the cache could not
   * tell that a mutation changed it.
   */
  typenames?: string[];
};

/**
 * Runs a GraphQL query. The previous data stay visible while the query is fetched again, and when
 * that fails for a while: the connection is lost, or the person has to sign in again.
 */
export function useGraphQuery<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
  {
    pause = false,
    refreshMs,
    live = false,
    inBackground = false,
    typenames,
  }: GraphQueryOptions = {},
): GraphQueryResult<Data> {
  const additionalTypes = typenames?.join();
  const context = useMemo(
    () => ({
      requestPolicy: 'cache-and-network' as const,
      ...(additionalTypes ? { additionalTypenames: additionalTypes.split(',') } : {}),
    }),
    [additionalTypes],
  );
  const [{ data: fetched, error, fetching }, execute] = useQuery({
    query: document,
    variables,
    pause,
    context,
  });
  const [isRefetching, setRefetching] = useState(false);
  const refetch = useCallback(() => {
    setRefetching(true);
    execute({ requestPolicy: 'network-only' });
  }, [execute]);
  // After the next render urql sets `fetching` in an effect, and this effect runs after that one.
  useEffect(() => {
    if (isRefetching) setRefetching(false);
  }, [isRefetching]);
  const { data, isLive } = useLiveResult(
    document,
    variables,
    fetched,
    // The first fetch shows faults, and the stream continues from there.
    { enabled: live && !pause && !error && fetched !== undefined, refetch },
  );
  useEffect(() => {
    if (pause || isLive || refreshMs === undefined) return undefined;
    const timer = setInterval(() => isPageVisible() && refetch(), refreshMs);
    return () => clearInterval(timer);
  }, [pause, isLive, refreshMs, refetch]);
  const hasExpired = error !== undefined && isExpiry(error);
  useEffect(() => {
    if (!hasExpired) return undefined;
    if (!inBackground) reportExpiry();
    return onRenewal(refetch);
  }, [hasExpired, inBackground, refetch]);
  const fault = useMemo(() => error && faultOf(error), [error]);
  const isUnreachable = fault?.code === 'UNREACHABLE';
  useEffect(() => {
    if (!isUnreachable) return undefined;
    addEventListener('online', refetch);
    return () => removeEventListener('online', refetch);
  }, [isUnreachable, refetch]);
  // With an error, fields that are never null according to their types can be null. While the query
  // is sent again, the data of the error are still there.
  const failed = useRef<{ data: Data | undefined; keepsLast: boolean }>(undefined);
  const last = useRef<{ data: Data; variables: string }>(undefined);
  const variablesText = JSON.stringify(variables ?? {});
  if (fault) failed.current = { data: fetched, keepsLast: hasExpired || isPassing(fault) };
  else if (!fetching && fetched !== failed.current?.data) failed.current = undefined;
  const hasFailed = fault !== undefined || (failed.current && failed.current.data === fetched);
  if (!hasFailed && !fetching && data !== undefined)
    last.current = { data, variables: variablesText };
  const keptData =
    failed.current?.keepsLast && last.current?.variables === variablesText
      ? last.current.data
      : undefined;
  return {
    data: hasFailed ? keptData : data,
    fault,
    loading: fetching || isRefetching,
    refetch,
  };
}

const isExpiry = (error: CombinedError) => faultOf(error).code === 'UNAUTHENTICATED';

/** A part of the result of a query, such as the page of a list. */
export const partOf = <Data, Part>(
  answer: GraphQueryResult<Data>,
  part: (data: Data) => Part,
): GraphQueryResult<Part> => ({ ...answer, data: answer.data && part(answer.data) });

const isPageVisible = () => globalThis.document.visibilityState === 'visible';

/**
 * Asks the person to confirm their password. Resolves with whether they did. The session provides
 * it.
 */
export const PasswordConfirmation = createContext<() => Promise<boolean>>(async () => false);

type GraphMutationOptions<Data, Variables> = {
  /**
   * Type names whose queries are fetched again after the mutation, in addition to the types in its
   * result.
   */
  invalidates?: string[];
  /** The message that says that the mutation succeeded. */
  success?: string | ((data: Data, variables: Variables) => string);
};

/**
 * Runs a GraphQL mutation. `run` resolves with its data, or with undefined when it failed; `fault`
 * then says why. When it needs a recent sign-in, the person confirms their password, and it runs
 * again.
 */
export function useGraphMutation<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  { invalidates = [], success }: GraphMutationOptions<Data, Variables> = {},
) {
  const [state, setState] = useState<{ busy: boolean; fault: ApiFault | undefined }>({
    busy: false,
    fault: undefined,
  });
  const confirmPassword = useContext(PasswordConfirmation);
  const toast = useToast();
  const additionalTypes = invalidates.join();
  const latestSuccess = useRef(success);
  useEffect(() => {
    latestSuccess.current = success;
  });

  const run = useCallback(
    async (variables: Variables): Promise<Data | undefined> => {
      setState({ busy: true, fault: undefined });
      toast.clear();
      const context = { additionalTypenames: additionalTypes ? additionalTypes.split(',') : [] };
      const { data, error } = await client.mutation(document, variables, context).toPromise();
      const fault = error && faultOf(error);
      if (fault?.code === 'UNAUTHENTICATED' && (await awaitRenewal())) return run(variables);
      if (fault?.reason === 'SIGN_IN_NOT_RECENT') {
        setState({ busy: false, fault: undefined });
        return (await confirmPassword()) ? run(variables) : undefined;
      }
      setState({ busy: false, fault });
      if (fault || data === undefined) return undefined;
      const message = latestSuccess.current;
      if (message) toast.show(typeof message === 'string' ? message : message(data, variables));
      return data;
    },
    [document, additionalTypes, confirmPassword, toast],
  );
  const clear = useCallback(() => setState({ busy: false, fault: undefined }), []);
  return { ...state, run, clear };
}
