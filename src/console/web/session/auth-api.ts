import { useCallback, useState } from 'react';
import { codeText, fieldText } from '../graph/code-text.ts';
import { type ApiFault, unreachable } from '../graph/fault.ts';
import { language } from '../texts/language.ts';
import { t } from '../texts/text.ts';

/** An error of a call below /auth/, which can name the error of each field. */
export type AuthFault = ApiFault & { fields?: Readonly<Record<string, string>> };
type AuthResult =
  | { fault?: undefined; data: Readonly<Record<string, unknown>> }
  | { fault: AuthFault; data?: undefined };

/** Calls the REST endpoints below /auth/. Everything else in the console uses GraphQL. */
export async function callAuth(
  call: string,
  input: Readonly<Record<string, unknown>>,
): Promise<AuthResult> {
  try {
    const response = await fetch(`/auth/${call}`, {
      method: 'POST',
      // The language of the page, which can differ from those that the browser prefers: mails and a new
      // account get it.
      headers: { 'content-type': 'application/json', 'accept-language': language() },
      body: JSON.stringify(input),
    });
    const body: Readonly<Record<string, unknown>> = Object(await response.json());
    return response.ok ? { data: body } : { fault: faultIn(body) };
  } catch {
    return { fault: unreachable() };
  }
}

function faultIn({ code, message, reason, fields }: Readonly<Record<string, unknown>>): AuthFault {
  return {
    code: typeof code === 'string' ? code : 'INTERNAL',
    message:
      typeof message === 'string' ? codeText(message, reason, code) : t('ui.somethingWentWrong'),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(fields
      ? {
          fields: Object.fromEntries(
            Object.entries(fields).map(([name, text]) => [name, fieldText(String(text), name)]),
          ),
        }
      : {}),
  };
}

/**
 * A call below /auth/ with the state that a form needs. `run` resolves with the response, or with
 * undefined when the call failed; `fault` then says why.
 */
export function useAuthCall(call: string) {
  const [state, setState] = useState<{ busy: boolean; fault: AuthFault | undefined }>({
    busy: false,
    fault: undefined,
  });
  const run = useCallback(
    async (input: Readonly<Record<string, unknown>>) => {
      setState({ busy: true, fault: undefined });
      const { data, fault } = await callAuth(call, input);
      setState({ busy: false, fault });
      return data;
    },
    [call],
  );
  return { ...state, run };
}
