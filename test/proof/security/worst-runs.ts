import { type FormPart, formOf } from '../fuzz/forms.ts';
import { type Attack, jsonAttack } from './attack.ts';
import { type Shape, shapes } from './worst-values.ts';

const messagesBytes = 900_000;
const fileCharacters = 199_000;

type Given = { key: string; assistantId: string; hostileAssistantId: string };

const words = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ');
const fence = `data-${'a'.repeat(24)}`;
const openedPassages = `What stands between the marks ${fence} is quoted from files ${`\n<${fence} {"number":1}\n`.repeat(18_000)}`;
const closedPassages = `What stands between the marks ${fence} is quoted from files ${`\n<${fence} {"number":1}\nholiday price.\n</${fence}>`.repeat(9_000)}`;

/** The attacks of which each stopped the process before it was fixed. */
export function knownKillers({ key, assistantId, hostileAssistantId }: Given): Attack[] {
  const run = (name: string, content: unknown, more: object = {}) =>
    runAttack(name, key, assistantId, [{ role: 'user', content }], more);
  return [
    formAttack(
      'a question of 10,000 words and a file of 50 kB',
      key,
      assistantId,
      words(10_000, 'frage'),
      [words(6_000, 'wort').slice(0, 50_000)],
    ),
    formAttack(
      'a question of 60,000 words and a file of 200 kB',
      key,
      assistantId,
      words(60_000, 'frage'),
      [words(25_000, 'wort').slice(0, fileCharacters)],
    ),
    ...['6400 blanks', '80000 blanks', '80000 markers'].flatMap((content) => [
      runAttack(
        `a model that streams ${content}`,
        key,
        hostileAssistantId,
        [{ role: 'user', content }],
        { accept: 'text/event-stream' },
      ),
      runAttack(`a model that answers ${content}`, key, hostileAssistantId, [
        { role: 'user', content },
      ]),
    ]),
    run('a question of combining marks', `holiday\u0301${'\u0301\u0316'.repeat(200_000)}`),
    run('passages that never end', openedPassages),
    run('passages that end', closedPassages),
    jsonAttack(
      'files that are numbers',
      `/api/assistants/v1/${assistantId}/run`,
      bearer(key),
      () => ({
        messages: [{ role: 'user', content: 'a' }],
        files: Array.from({ length: 450_000 }, () => 1),
      }),
    ),
  ];
}

/** Runs whose conversation or files are as large as they may be, in each shape. */
export function runAttacks(given: Given): Attack[] {
  const { key, assistantId, hostileAssistantId } = given;
  const path = `/api/assistants/v1/${assistantId}/run`;
  const parts = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'text', text: 'a' }));
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: parts(25),
  }));
  const calls = Array.from({ length: 500 }, (_, index) => [
    {
      role: 'assistant',
      content: Array.from({ length: 10 }, (__, at) => ({
        type: 'tool-call',
        toolCallId: `${index}-${at}`,
        toolName: 'calculate',
        input: {},
      })),
    },
    {
      role: 'tool',
      content: Array.from({ length: 10 }, (__, at) => ({
        type: 'tool-result',
        toolCallId: `${index}-${at}`,
        toolName: 'calculate',
        output: { type: 'text', value: '' },
      })),
    },
  ]).flat();
  return [
    ...[assistantId, hostileAssistantId].flatMap((id) => [
      runAttack(
        `1,000 messages of 25 parts to ${id === assistantId ? 'the built-in model' : 'a provider'}`,
        key,
        id,
        many,
      ),
      runAttack(
        `5,000 calls of tools to ${id === assistantId ? 'the built-in model' : 'a provider'}`,
        key,
        id,
        [...calls, { role: 'user', content: 'price' }],
      ),
      runAttack(
        `a message of 900 kB to ${id === assistantId ? 'the built-in model' : 'a provider'}`,
        key,
        id,
        [{ role: 'user', content: 'a'.repeat(messagesBytes) }],
      ),
    ]),
    runAttack(
      'messages that are none',
      key,
      assistantId,
      Array.from({ length: 300_000 }, () => 1),
    ),
    runAttack('parts that are none', key, assistantId, [
      { role: 'user', content: Array.from({ length: 300_000 }, () => 1) },
    ]),
    ...shapes.flatMap((shape) => [
      jsonAttack(`OpenAI: ${shape.name}`, '/api/openai/v1/chat/completions', bearer(key), () => ({
        model: assistantId,
        messages: [{ role: 'user', content: shape.text(messagesBytes) }],
      })),
      runAttack(
        `streamed: ${shape.name}`,
        key,
        assistantId,
        [{ role: 'user', content: shape.text(messagesBytes) }],
        { accept: 'text/event-stream' },
      ),
      formAttack(`one file: ${shape.name}`, key, assistantId, shape.text(20_000), [
        shape.text(fileCharacters),
      ]),
    ]),
    // A hundred files take as many processes that read them, one after another.
    ...shapes
      .filter(({ name }) => name === 'combining marks' || name === 'distinct words')
      .map((shape) =>
        formAttack(`100 files: ${shape.name}`, key, assistantId, shape.text(2_000), filesOf(shape)),
      ),
    jsonAttack(
      'OpenAI: messages that are none',
      '/api/openai/v1/chat/completions',
      bearer(key),
      () => ({
        model: 'a',
        messages: Array.from({ length: 400_000 }, () => 1),
      }),
    ),
    jsonAttack('OpenAI: 30,000 messages', '/api/openai/v1/chat/completions', bearer(key), () => ({
      model: assistantId,
      messages: Array.from({ length: 25_000 }, () => ({ role: 'user', content: 'a' })),
    })),
    {
      name: 'a form of 100 files with long names',
      to: 'api',
      ask: () => formAsk(path, key, longNames()),
    },
    {
      name: 'a form of one file of 25 MB',
      to: 'api',
      ask: () => formAsk(path, key, [messagesPart('a'), filePart(0, 'word '.repeat(5_000_000))]),
    },
    {
      name: 'a form of boundaries that are none',
      to: 'api',
      ask: () => formAsk(path, key, [messagesPart('a'), filePart(0, '\r\n--'.repeat(1_000_000))]),
    },
  ];
}

const filesOf = (shape: Shape): string[] =>
  Array.from({ length: 100 }, () => shape.text(fileCharacters / 100 - 20));
const longNames = (): FormPart[] => [
  messagesPart('a'),
  ...Array.from({ length: 100 }, (_, index) => ({
    ...filePart(index, 'a word'),
    fileName: `${'\u0301\u0316'.repeat(3_500)}.txt`,
  })),
];

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, accept: 'application/json' });

const runAttack = (
  name: string,
  key: string,
  assistantId: string,
  messages: unknown,
  more: object = {},
): Attack =>
  jsonAttack(
    `run: ${name}`,
    `/api/assistants/v1/${assistantId}/run`,
    { ...bearer(key), ...more },
    () => ({ messages }),
  );

const formAttack = (
  name: string,
  key: string,
  assistantId: string,
  question: string,
  files: readonly string[],
): Attack => ({
  name: `run with files: ${name}`,
  to: 'api',
  ask: () =>
    formAsk(`/api/assistants/v1/${assistantId}/run`, key, [
      messagesPart(question),
      ...files.map((text, index) => filePart(index, text)),
    ]),
});

const messagesPart = (content: string): FormPart => ({
  name: 'messages',
  content: Buffer.from(JSON.stringify([{ role: 'user', content }])),
});
const filePart = (index: number, text: string): FormPart => ({
  name: 'files',
  fileName: `file-${index}.txt`,
  type: 'text/plain',
  content: Buffer.from(text),
});

function formAsk(path: string, key: string, parts: readonly FormPart[]) {
  const { type, body } = formOf(parts);
  return { method: 'POST', path, headers: { ...bearer(key), 'content-type': type }, body };
}
