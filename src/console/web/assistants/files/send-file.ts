import type { AnyVariables, DocumentInput } from '@urql/core';
import { type ApiFault, unreachable } from '../../graph/fault.ts';
import { t } from '../../texts/text.ts';
import {
  faultFromErrors,
  graphHeaders,
  multipartBody,
  parseGraphResponse,
} from '../graphql-fetch.ts';

type SendFileInput = {
  document: DocumentInput<unknown, never>;
  variables: AnyVariables;
  file: File;
  /** Receives the fraction that is sent, from 0 to 1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
};

/**
 * Uploads one file. Resolves with the error when the server rejected it, with undefined when it was
 * accepted.
 */
export function sendFile({
  document,
  variables,
  file,
  onProgress,
  signal,
}: SendFileInput): Promise<ApiFault | undefined> {
  return new Promise((resolve) => {
    // fetch() reports no upload progress, XMLHttpRequest does.
    const request = new XMLHttpRequest();
    request.open('POST', '/graphql');
    for (const [name, value] of Object.entries({ ...graphHeaders(), accept: 'application/json' }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(faultInResponse(request.responseText));
    request.onerror = () => resolve(unreachable());
    request.onabort = () => resolve({ code: 'CANCELLED', message: t('files.cancelled') });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(multipartBody(document, variables, [{ path: 'file', file }]));
  });
}

function faultInResponse(text: string): ApiFault | undefined {
  const response = parseGraphResponse(text);
  if (!response) return unreachable();
  return response.errors ? faultFromErrors(response.errors) : undefined;
}
