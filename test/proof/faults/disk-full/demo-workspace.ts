import { formOf, formType } from '../../../support/files.ts';
import type { RunningServer } from '../../../support/process.ts';

export type DemoAnswer = { status: number; text: string };

/** A client of the demo workspace. Its keys are read from the output of the first start. */
export async function openDemoWorkspace(running: Pick<RunningServer, 'address' | 'output'>) {
  const organizationKey = /sk_svc_um_\w+/.exec(running.output())?.[0] ?? '';
  const userKey = /admin .* key (sk_svc_\w+)/.exec(running.output())?.[1] ?? '';
  const { address } = running;
  const sendRequest = async (
    method: string,
    path: string,
    key: string,
    body?: BodyInit,
    type = 'application/json',
  ): Promise<DemoAnswer> => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    };
    try {
      const answer = await fetch(address + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(30_000),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      // A request without an answer gets the status 0, which no server sends.
      return { status: 0, text: String(error) };
    }
  };
  const { assistants } = JSON.parse(
    (await sendRequest('GET', '/api/assistants/v1/', userKey)).text,
  );
  const handbook: string = assistants.find(({ name }: { name: string }) => name === 'Handbook').id;
  const files = `/api/assistant-files/v1/assistants/${handbook}/files`;
  const form = (content: string | Uint8Array) =>
    formOf([{ name: 'file', fileName: 'sent.txt', type: 'text/plain', content }]);
  type DemoFile = { id: string; processingStatus: string };
  return {
    userKey,
    filesPath: files,
    users: () => sendRequest('GET', '/api/user-management/v1/users?pageSize=100', organizationKey),
    upload: (content: string | Uint8Array) =>
      sendRequest('POST', files, userKey, form(content), formType),
    replace: (id: string, content: string | Uint8Array) =>
      sendRequest('PUT', `${files}/${id}`, userKey, form(content), formType),
    remove: (id: string) => sendRequest('DELETE', `${files}/${id}`, userKey),
    content: (id: string) => sendRequest('GET', `${files}/${id}/content`, userKey),
    async files(): Promise<DemoFile[]> {
      return JSON.parse((await sendRequest('GET', files, userKey)).text).files;
    },
    file: async (id: string): Promise<DemoFile> =>
      JSON.parse((await sendRequest('GET', `${files}/${id}`, userKey)).text),
    run: (question: string) =>
      sendRequest(
        'POST',
        `/api/assistants/v1/${handbook}/run`,
        userKey,
        JSON.stringify({ messages: [{ role: 'user', content: question }] }),
      ),
    ready: () => sendRequest('GET', '/readyz', ''),
  };
}

export type DemoWorkspace = Awaited<ReturnType<typeof openDemoWorkspace>>;
export const idIn = ({ text }: DemoAnswer): string => JSON.parse(text).file?.id ?? '';
