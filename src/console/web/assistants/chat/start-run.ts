import { type ApiFault, unreachable } from '../../graph/fault.ts';
import { awaitRenewal } from '../../graph/session-expiry.ts';
import {
  StartRunDocument,
  type StartRunMutation,
  type StartRunMutationVariables,
} from '../documents.ts';
import {
  faultFromErrors,
  graphHeaders,
  jsonBody,
  multipartBody,
  parseGraphResponse,
} from '../graphql-fetch.ts';

type StartedRun = { runId: string; fault?: undefined } | { runId?: undefined; fault: ApiFault };

/**
 * Starts a durable run. A request that failed is never repeated automatically, because every run
 * costs money.
 */
export async function startRun(
  variables: StartRunMutationVariables,
  files: readonly File[],
): Promise<StartedRun> {
  const hasFiles = files.length > 0;
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        ...graphHeaders(),
        accept: 'application/json',
        ...(hasFiles ? {} : { 'content-type': 'application/json' }),
      },
      body: hasFiles
        ? multipartBody(
            StartRunDocument,
            { ...variables, files: files.map(() => null) },
            files.map((file, index) => ({ path: `files.${index}`, file })),
          )
        : jsonBody(StartRunDocument, variables),
    });
    const { data, errors } = parseGraphResponse<StartRunMutation>(await response.text()) ?? {};
    const fault = errors && faultFromErrors(errors);
    if (fault?.code === 'UNAUTHENTICATED' && (await awaitRenewal()))
      return startRun(variables, files);
    if (fault) return { fault };
    return data ? { runId: data.startRun.run.id } : { fault: unreachable() };
  } catch (error) {
    if (error instanceof TypeError) return { fault: unreachable() };
    throw error;
  }
}
