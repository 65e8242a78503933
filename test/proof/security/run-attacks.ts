import { type FormPart, formOf, formType } from '../../support/files.ts';
import { type AttackRequest, jsonAttack } from './attack-request.ts';
import { type TextShape, textShapes } from './expensive-values.ts';

const messagesBytes = 900_000;
const fileCharacters = 199_000;

type RunTargets = { key: string; assistantId: string; hostileAssistantId: string };

const words = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ');
const fence = `data-${'a'.repeat(24)}`;
const openedPassages = `What stands between the marks ${fence} is quoted from files ${`\n<${fence} {"number":1}\n`.repeat(18_000)}`;
const closedPassages = (header: string) =>
  `What stands between the marks ${fence} is quoted from files ${`\n<${fence} ${header}\nholiday price.\n</${fence}>`.repeat(9_000)}`;

/** Attacks that blocked the process before they were fixed. */
export function knownBlockingAttacks({
  key,
  assistantId,
  hostileAssistantId,
}: RunTargets): AttackRequest[] {
  const attackRun = (name: string, content: unknown, extraHeaders: object = {}) =>
    runAttack(name, key, assistantId, [{ role: 'user', content }], extraHeaders);
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
    attackRun('a question of combining marks', `holiday\u0301${'\u0301\u0316'.repeat(200_000)}`),
    attackRun('passages that never end', openedPassages),
    attackRun('passages that end', closedPassages('{"number":1}>')),
    attackRun('passages with broken headers', closedPassages('{"number":1}')),
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

/** Runs with the largest conversation or files, in each shape. */
export function runAttacks(targets: RunTargets): AttackRequest[] {
  const { key, assistantId, hostileAssistantId } = targets;
  const path = `/api/assistants/v1/${assistantId}/run`;
  const textParts = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'text', text: 'a' }));
  const manyMessages = Array.from({ length: 1_000 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: textParts(25),
  }));
  const toolCalls = Array.from({ length: 500 }, (_, index) => [
    {
      role: 'assistant',
      content: Array.from({ length: 10 }, (__, callIndex) => ({
        type: 'tool-call',
        toolCallId: `${index}-${callIndex}`,
        toolName: 'calculate',
        input: {},
      })),
    },
    {
      role: 'tool',
      content: Array.from({ length: 10 }, (__, callIndex) => ({
        type: 'tool-result',
        toolCallId: `${index}-${callIndex}`,
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
        manyMessages,
      ),
      runAttack(
        `5,000 calls of tools to ${id === assistantId ? 'the built-in model' : 'a provider'}`,
        key,
        id,
        [...toolCalls, { role: 'user', content: 'price' }],
      ),
      runAttack(
        `a message of 900 kB to ${id === assistantId ? 'the built-in model' : 'a provider'}`,
        key,
        id,
        [{ role: 'user', content: 'a'.repeat(messagesBytes) }],
      ),
    ]),
    runAttack(
      'messages that are numbers',
      key,
      assistantId,
      Array.from({ length: 300_000 }, () => 1),
    ),
    runAttack('parts that are numbers', key, assistantId, [
      { role: 'user', content: Array.from({ length: 300_000 }, () => 1) },
    ]),
    ...textShapes.flatMap((shape) => [
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
    // A hundred files are slow to read, so only two shapes are tried.
    ...textShapes
      .filter(({ name }) => name === 'combining marks' || name === 'distinct words')
      .map((shape) =>
        formAttack(
          `100 files: ${shape.name}`,
          key,
          assistantId,
          shape.text(2_000),
          hundredFiles(shape),
        ),
      ),
    jsonAttack(
      'OpenAI: messages that are numbers',
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
      build: () => formRequest(path, key, longNames()),
    },
    {
      name: 'a form of one file of 25 MB',
      to: 'api',
      build: () =>
        formRequest(path, key, [messagesPart('a'), filePart(0, 'word '.repeat(5_000_000))]),
    },
    {
      name: 'a form with incomplete boundaries',
      to: 'api',
      build: () =>
        formRequest(path, key, [messagesPart('a'), filePart(0, '\r\n--'.repeat(1_000_000))]),
    },
  ];
}

const hundredFiles = (shape: TextShape): string[] =>
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
  extraHeaders: object = {},
): AttackRequest =>
  jsonAttack(
    `run: ${name}`,
    `/api/assistants/v1/${assistantId}/run`,
    { ...bearer(key), ...extraHeaders },
    () => ({ messages }),
  );

const formAttack = (
  name: string,
  key: string,
  assistantId: string,
  question: string,
  files: readonly string[],
): AttackRequest => ({
  name: `run with files: ${name}`,
  to: 'api',
  build: () =>
    formRequest(`/api/assistants/v1/${assistantId}/run`, key, [
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

function formRequest(path: string, key: string, textParts: readonly FormPart[]) {
  const headers = { ...bearer(key), 'content-type': formType };
  return { method: 'POST', path, headers, body: formOf(textParts) };
}
