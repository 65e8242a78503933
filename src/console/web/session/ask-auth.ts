import { useCallback, useState } from 'react';
import type { Fault } from '../graph/fault.ts';

/** A refusal of a call below /auth/, which can name what is wrong with each field. */
export type AuthFault = Fault & { fields?: Readonly<Record<string, string>> };
type Told =
  | { fault?: undefined; data: Readonly<Record<string, unknown>> }
  | { fault: AuthFault; data?: undefined };

const unreachable: AuthFault = {
  code: 'UNREACHABLE',
  message: 'Atrium can not be reached. Check the connection and try again.',
};

/**
 * Sign-in and what belongs to it: the one part of the console that does not go through the graph.
 */
export async function askAuth(
  call: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Told> {
  try {
    const response = await fetch(`/auth/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const body: Readonly<Record<string, unknown>> = Object(await response.json());
    return response.ok ? { data: body } : { fault: faultIn(body) };
  } catch {
    return { fault: unreachable };
  }
}

function faultIn({ code, message, reason, fields }: Readonly<Record<string, unknown>>): AuthFault {
  return {
    code: typeof code === 'string' ? code : 'INTERNAL',
    message: typeof message === 'string' ? message : 'Something went wrong. Please try again.',
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(fields
      ? {
          fields: Object.fromEntries(
            Object.entries(fields).map(([name, text]) => [name, String(text)]),
          ),
        }
      : {}),
  };
}

/**
 * One such call as a form needs it. `run` answers what was told, or undefined where it was refused;
 * then `fault` says why.
 */
export function useAuthCall(call: string) {
  const [state, setState] = useState<{ busy: boolean; fault: AuthFault | undefined }>({
    busy: false,
    fault: undefined,
  });
  const run = useCallback(
    async (input: Readonly<Record<string, unknown>>) => {
      setState({ busy: true, fault: undefined });
      const { data, fault } = await askAuth(call, input);
      setState({ busy: false, fault });
      return data;
    },
    [call],
  );
  return { ...state, run };
}
