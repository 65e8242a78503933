import type { AnyVariables, DocumentInput } from '@urql/core';
import { useCallback, useState } from 'react';
import { client } from './client.ts';
import { type Fault, faultOf } from './fault.ts';

type Options = {
  /** The types whose lists are asked for again, besides those in the answer. */
  touches?: string[];
};

/**
 * Does something by the graph. `run` answers what was done, or undefined where it was refused; then
 * `fault` says why.
 */
export function useAction<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  { touches = [] }: Options = {},
) {
  const [state, setState] = useState<{ busy: boolean; fault: Fault | undefined }>({
    busy: false,
    fault: undefined,
  });
  const touched = touches.join();

  const run = useCallback(
    async (variables: Variables): Promise<Data | undefined> => {
      setState({ busy: true, fault: undefined });
      const context = { additionalTypenames: touched ? touched.split(',') : [] };
      const { data, error } = await client.mutation(document, variables, context).toPromise();
      setState({ busy: false, fault: error && faultOf(error) });
      return error ? undefined : data;
    },
    [document, touched],
  );
  const clear = useCallback(() => setState({ busy: false, fault: undefined }), []);
  return { ...state, run, clear };
}
