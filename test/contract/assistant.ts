import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import type { Api } from './client.ts';
import type { Suite } from './suite.ts';

/**
 * Creates an assistant of the owner of the key over GraphQL, because REST has no call for it. The
 * cleanup at the end deletes it with its files.
 */
export async function createAssistant(
  { prefix, addCleanup }: Suite,
  api: Api,
  name = prefix,
): Promise<string> {
  const created = await api.graph(
    'mutation ($name: String!) { createAssistant(input: { name: $name, instructions: "Answer from the files." }) { assistant { id } } }',
    { name },
  );
  const id = created.textAt('data.createAssistant.assistant.id');
  addCleanup(async () => {
    const deleted = await api.graph(
      'mutation ($id: ID!) { deleteAssistant(input: { assistantId: $id }) { deletedAssistantId } }',
      { id },
    );
    deleted.textAt('data.deleteAssistant.deletedAssistantId');
  });
  return id;
}

type AccessLevel = 'VIEW' | 'EDIT' | 'OWNER';

/** Shares an assistant with a member of the organization, by e-mail address. */
export const shareAssistant = (
  api: Api,
  assistantId: string,
  level: AccessLevel,
  email: string,
): Promise<Answer> =>
  api.graph(
    'mutation ($assistantId: ID!, $level: AccessLevel!, $email: EmailAddress!) { shareAssistant(input: { assistantId: $assistantId, level: $level, email: $email }) { assistant { id } } }',
    {
      assistantId,
      level,
      email,
    },
  );

export const filesPath = (assistantId: string) =>
  `/api/assistant-files/v1/assistants/${assistantId}/files`;
export const runPath = (assistantId: string) => `/api/assistants/v1/${assistantId}/run`;

/** A form with one file in the part `file`. */
export function fileForm(
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  type = 'text/plain',
): FormData {
  const form = new FormData();
  form.set('file', new File([content], name, { type }));
  return form;
}

const processingTimeoutMs = 180_000;

/**
 * Polls the metadata of a file until it is COMPLETED or FAILED and calls `onPoll` with each
 * response.
 */
export async function waitUntilProcessed(
  api: Api,
  path: string,
  onPoll: (answer: Answer) => void = () => undefined,
): Promise<Answer> {
  for (const end = Date.now() + processingTimeoutMs; ; await sleep(500)) {
    const answer = await api.get(path);
    onPoll(answer);
    if (
      answer.status !== 200 ||
      ['COMPLETED', 'FAILED'].includes(String(answer.at('processingStatus')))
    )
      return answer;
    if (Date.now() > end)
      throw new Error(
        `${path} was not processed within ${processingTimeoutMs / 1000} s: ${answer.text}`,
      );
  }
}

export const ask = (content: string) => ({ messages: [{ role: 'user', content }] });
