import { createHash } from 'node:crypto';
import type { Chance } from '../../fuzz/chance.ts';
import type { Asked, Line } from './ask.ts';
import { Ledger } from './ledger.ts';
import type { Actor, Keys } from './load.ts';

export type AssistantState = { name: string; instructions: string };
export type FileState = { assistantId: string; name: string; hash: string };

const assistantsMax = 2;
const filesMax = 5;

/** Makes assistants, and uploads, replaces and deletes their files. */
export function libraryActor(name: string, keys: Keys, chance: Chance): Actor {
  const ledger = new Ledger();
  let number = 0;
  const all = <State>(kind: string) =>
    [...ledger.objects].flatMap(([object, state]) =>
      object.startsWith(kind) ? [{ id: object.slice(kind.length), state: state as State }] : [],
    );
  const inGraph = (query: string, variables: Record<string, unknown>): Asked => ({
    ...{ method: 'POST', path: '/graphql', key: keys.userKey, json: { query, variables } },
  });
  const filePath = (assistantId: string, rest = '') =>
    `/api/assistant-files/v1/assistants/${assistantId}/files${rest}`;
  /** Words that no other file has. */
  const newFile = (assistantId: string) => {
    const title = `${name}-${number}.txt`;
    const text = `${title} ${chance.text(20)}\n${Array.from({ length: 1 + chance.below(800) }, (_, index) => `Line ${index} of ${chance.text(12)}.`).join('\n')}\n`;
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

  async function step(line: Line): Promise<void> {
    number += 1;
    const title = `${name}-${number}`;
    const assistants = all<AssistantState>('assistant:');
    if (assistants.length === 0 || (assistants.length < assistantsMax && chance.percent(20))) {
      const state: AssistantState = { name: title, instructions: chance.text(30) };
      const asked = inGraph(
        'mutation ($name: AssistantName!, $instructions: Instructions) { made: createAssistant(name: $name, instructions: $instructions) { id } }',
        state,
      );
      const idIn = ({ data }: Record<string, unknown>) => Object(data).made?.id;
      return ledger.perform(line, {
        asked,
        change: { made: { kind: 'assistant', state } },
        action: 'create-assistant',
        idIn,
      });
    }
    const assistant = chance.pick(assistants);
    const files = all<FileState>('file:').filter(({ state }) => state.assistantId === assistant.id);
    if (chance.percent(8)) {
      const state = { ...assistant.state, name: title };
      const asked = inGraph(
        'mutation ($id: ResourceId!, $name: AssistantName!) { updateAssistant(assistantId: $id, name: $name) { id } }',
        {
          ...{ id: assistant.id, name: title },
        },
      );
      return ledger.perform(line, {
        asked,
        change: { put: [[`assistant:${assistant.id}`, state]] },
        action: 'update-assistant',
        target: assistant.id,
      });
    }
    if (chance.percent(4)) {
      const asked = inGraph(
        'mutation ($id: ResourceId!) { deleteAssistant(assistantId: $id) { success } }',
        { id: assistant.id },
      );
      const gone = [`assistant:${assistant.id}`, ...files.map(({ id }) => `file:${id}`)];
      return ledger.perform(line, {
        asked,
        change: { gone },
        action: 'delete-assistant',
        target: assistant.id,
      });
    }
    const idIn = ({ file }: Record<string, unknown>) => Object(file).id;
    const { state, form } = newFile(assistant.id);
    const made = { kind: 'file', state };
    if (files.length === 0 || (files.length < filesMax && chance.percent(40))) {
      const asked = { method: 'POST', path: filePath(assistant.id), key: keys.userKey, form };
      return ledger.perform(line, { asked, change: { made }, action: 'upload-file', idIn });
    }
    const old = chance.pick(files);
    const there = { path: filePath(assistant.id, `/${old.id}`), key: keys.userKey };
    const gone = [`file:${old.id}`];
    if (chance.percent(55))
      return ledger.perform(line, {
        asked: { method: 'PUT', ...there, form },
        change: { made, gone },
        action: 'replace-file',
        idIn,
      });
    return ledger.perform(line, {
      asked: { method: 'DELETE', ...there },
      change: { gone },
      action: 'delete-file',
      target: old.id,
    });
  }

  return { name, ledger, step };
}
