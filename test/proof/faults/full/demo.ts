import { formOf, formType } from '../../../support/files.ts';
import type { Running } from '../../../support/process.ts';

export type Answer = { status: number; text: string };

/**
 * The demo workspace that a first start has made, for whoever calls it: its keys were printed once.
 */
export async function demoOf(running: Pick<Running, 'address' | 'output'>) {
  const organizationKey = /sk_svc_um_\w+/.exec(running.output())?.[0] ?? '';
  const userKey = /admin .* key (sk_svc_\w+)/.exec(running.output())?.[1] ?? '';
  const { address } = running;
  const ask = async (
    method: string,
    path: string,
    key: string,
    body?: BodyInit,
    type = 'application/json',
  ): Promise<Answer> => {
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
      // No answer at all is told as one that no server gives.
      return { status: 0, text: String(error) };
    }
  };
  const { assistants } = JSON.parse((await ask('GET', '/api/assistants/v1/', userKey)).text);
  const handbook: string = assistants.find(({ name }: { name: string }) => name === 'Handbook').id;
  const files = `/api/assistant-files/v1/assistants/${handbook}/files`;
  const form = (content: string | Uint8Array) =>
    formOf([{ name: 'file', fileName: 'sent.txt', type: 'text/plain', content }]);
  type File = { id: string; processingStatus: string };
  return {
    userKey,
    filesPath: files,
    users: () => ask('GET', '/api/user-management/v1/users?pageSize=100', organizationKey),
    upload: (content: string | Uint8Array) => ask('POST', files, userKey, form(content), formType),
    replace: (id: string, content: string | Uint8Array) =>
      ask('PUT', `${files}/${id}`, userKey, form(content), formType),
    remove: (id: string) => ask('DELETE', `${files}/${id}`, userKey),
    content: (id: string) => ask('GET', `${files}/${id}/content`, userKey),
    async files(): Promise<File[]> {
      return JSON.parse((await ask('GET', files, userKey)).text).files;
    },
    file: async (id: string): Promise<File> =>
      JSON.parse((await ask('GET', `${files}/${id}`, userKey)).text),
    run: (question: string) =>
      ask(
        'POST',
        `/api/assistants/v1/${handbook}/run`,
        userKey,
        JSON.stringify({ messages: [{ role: 'user', content: question }] }),
      ),
    ready: () => ask('GET', '/readyz', ''),
  };
}

export type Demo = Awaited<ReturnType<typeof demoOf>>;
export const idIn = ({ text }: Answer): string => JSON.parse(text).file?.id ?? '';
