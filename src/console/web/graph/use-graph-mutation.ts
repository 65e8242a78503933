import type { AnyVariables, DocumentInput } from '@urql/core';
import { useCallback, useState } from 'react';
import { client } from './client.ts';
import { type ApiFault, faultOf } from './fault.ts';

type GraphMutationOptions = {
  /**
   * Type names whose queries are fetched again after the mutation, in addition to the types in its
   * result.
   */
  invalidates?: string[];
};

/**
 * Runs a GraphQL mutation. `run` resolves with its data, or with undefined when it failed; `fault`
 * then says why.
 */
export function useGraphMutation<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  { invalidates = [] }: GraphMutationOptions = {},
) {
  const [state, setState] = useState<{ busy: boolean; fault: ApiFault | undefined }>({
    busy: false,
    fault: undefined,
  });
  const additionalTypes = invalidates.join();

  const run = useCallback(
    async (variables: Variables): Promise<Data | undefined> => {
      setState({ busy: true, fault: undefined });
      const context = { additionalTypenames: additionalTypes ? additionalTypes.split(',') : [] };
      const { data, error } = await client.mutation(document, variables, context).toPromise();
      setState({ busy: false, fault: error && faultOf(error) });
      return error ? undefined : data;
    },
    [document, additionalTypes],
  );
  const clear = useCallback(() => setState({ busy: false, fault: undefined }), []);
  return { ...state, run, clear };
}
