import { createHash } from 'node:crypto';
import type { SeededRandom } from '../../fuzz/seeded-random.ts';
import { Ledger } from './ledger.ts';
import type { DemoKeys, LoadActor } from './mixed-load.ts';
import type { ApiRequest, ServerAddress } from './send-request.ts';

export type AssistantState = { name: string; instructions: string };
export type FileState = { assistantId: string; name: string; hash: string };

const assistantsMax = 2;
const filesMax = 5;

/** Creates assistants, and uploads, replaces and deletes their files. */
export function libraryActor(name: string, keys: DemoKeys, random: SeededRandom): LoadActor {
  const ledger = new Ledger();
  let number = 0;
  const inGraph = (query: string, variables: Record<string, unknown>): ApiRequest => ({
    ...{ method: 'POST', path: '/graphql', key: keys.userKey, json: { query, variables } },
  });
  const filePath = (assistantId: string, rest = '') =>
    `/api/assistant-files/v1/assistants/${assistantId}/files${rest}`;
  /** A file with text that no other file contains. */
  const newFile = (assistantId: string) => {
    const title = `${name}-${number}.txt`;
    const text = `${title} ${random.text(20)}\n${Array.from({ length: 1 + random.below(800) }, (_, index) => `Line ${index} of ${random.text(12)}.`).join('\n')}\n`;
    const state: FileState = {
      assistantId,
      name: title,
      hash: createHash('sha256').update(text).digest('hex'),
    };
    const form = () => {
      const parts = new FormData();
      parts.append('file', new Blob([text], { type: 'text/plain' }), title);
      return parts;
    };
    return { state, form };
  };

  async function step(server: ServerAddress): Promise<void> {
    number += 1;
    const title = `${name}-${number}`;
    const assistants = ledger.objectsOf<AssistantState>('assistant');
    if (assistants.length === 0 || (assistants.length < assistantsMax && random.percent(20))) {
      const state: AssistantState = { name: title, instructions: random.text(30) };
      const request = inGraph(
        'mutation ($name: String!, $instructions: String) { created: createAssistant(input: { name: $name, instructions: $instructions }) { assistant { id } } }',
        state,
      );
      const idIn = ({ data }: Record<string, unknown>) => Object(data).created?.assistant?.id;
      return ledger.perform(server, {
        request,
        change: { created: { kind: 'assistant', state } },
        action: 'create-assistant',
        idIn,
      });
    }
    const assistant = random.pick(assistants);
    const files = ledger
      .objectsOf<FileState>('file')
      .filter(({ state }) => state.assistantId === assistant.id);
    if (random.percent(8)) {
      const state = { ...assistant.state, name: title };
      const request = inGraph(
        'mutation ($id: ID!, $name: String!) { updateAssistant(input: { assistantId: $id, name: $name }) { assistant { id } } }',
        {
          ...{ id: assistant.id, name: title },
        },
      );
      return ledger.perform(server, {
        request,
        change: { updated: [[`assistant:${assistant.id}`, state]] },
        action: 'update-assistant',
        target: assistant.id,
      });
    }
    if (random.percent(4)) {
      const request = inGraph(
        'mutation ($id: ID!) { deleteAssistant(input: { assistantId: $id }) { deletedAssistantId } }',
        { id: assistant.id },
      );
      const deleted = [`assistant:${assistant.id}`, ...files.map(({ id }) => `file:${id}`)];
      return ledger.perform(server, {
        request,
        change: { deleted },
        action: 'delete-assistant',
        target: assistant.id,
      });
    }
    const idIn = ({ file }: Record<string, unknown>) => Object(file).id;
    const { state, form } = newFile(assistant.id);
    const created = { kind: 'file', state };
    if (files.length === 0 || (files.length < filesMax && random.percent(40))) {
      const request = { method: 'POST', path: filePath(assistant.id), key: keys.userKey, form };
      return ledger.perform(server, { request, change: { created }, action: 'upload-file', idIn });
    }
    const old = random.pick(files);
    const target = { path: filePath(assistant.id, `/${old.id}`), key: keys.userKey };
    const deleted = [`file:${old.id}`];
    if (random.percent(55))
      return ledger.perform(server, {
        request: { method: 'PUT', ...target, form },
        change: { created, deleted },
        action: 'replace-file',
        idIn,
      });
    return ledger.perform(server, {
      request: { method: 'DELETE', ...target },
      change: { deleted },
      action: 'delete-file',
      target: old.id,
    });
  }

  return { name, ledger, step };
}
