import type { AnyVariables, DocumentInput } from '@urql/core';
import type { Fault } from '../../graph/fault.ts';
import {
  faultIn,
  graphHeaders,
  multipartBody,
  parseGraphResponse,
  unreachable,
} from '../graphql-fetch.ts';

type Sending = {
  document: DocumentInput<unknown, never>;
  variables: AnyVariables;
  file: File;
  /** How much of it is sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

/** Sends one file. Why it was refused is the answer; undefined where it was taken. */
export function sendFile({
  document,
  variables,
  file,
  onProgress,
  signal,
}: Sending): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    // Only this way tells how much is sent.
    const request = new XMLHttpRequest();
    request.open('POST', '/graphql');
    for (const [name, value] of Object.entries({ ...graphHeaders(), accept: 'application/json' }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(outcomeOf(request.responseText));
    request.onerror = () => resolve(unreachable);
    request.onabort = () => resolve({ code: 'CANCELLED', message: 'Cancelled' });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(multipartBody(document, variables, { path: 'file', file }));
  });
}

function outcomeOf(text: string): Fault | undefined {
  const told = parseGraphResponse(text);
  if (!told) return unreachable;
  return told.errors ? faultIn(told.errors) : undefined;
}
