import { randomUUID } from 'node:crypto';
import type { LanguageModel } from 'ai';
import { readFenced } from '../fence.ts';
import { callerNote } from '../prompt.ts';
import { runLimits } from '../run-limits.ts';
import type { AnswerRequest } from './answer-in-thread.ts';

/** The interface that the SDK asks of a model. */
type ModelInterface = Extract<Exclude<LanguageModel, string>, { specificationVersion: 'v4' }>;
type CallOptions = Parameters<ModelInterface['doGenerate']>[0];
type Generated = Awaited<ReturnType<ModelInterface['doGenerate']>>;
type StreamPart =
  Awaited<ReturnType<ModelInterface['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;

export const extractiveModelName = 'atrium-extractive';
const tooFewSteps = 'This assistant may take one step only: too few to look into its files.';
const searchTool = 'search_knowledge';

// It reads no tokens and writes none.
const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/**
 * The model that is always there. There is no neural network in it: it searches the assistant's
 * files for the question, and answers with the sentences of what was found that say most of what
 * the question asks, each with its source. It understands nothing, writes no sentence of its own
 * but to say that nothing was found, and follows no instructions.
 */
export function createExtractiveModel(
  answer: (request: AnswerRequest) => Promise<string[]>,
): ModelInterface {
  const nextMove = (options: CallOptions) => nextMoveWithin(options, answer);
  return {
    specificationVersion: 'v4',
    provider: 'atrium',
    modelId: extractiveModelName,
    supportedUrls: {},
    doGenerate: async (options) => {
      const { toolCall, sentences, isCut } = await nextMove(options);
      const content: Generated['content'] = toolCall
        ? [toolCall]
        : [{ type: 'text', text: sentences.join('') }];
      return { content, finishReason: finishReason(toolCall, isCut), usage, warnings: [] };
    },
    doStream: async (options) => {
      const { toolCall, sentences, isCut } = await nextMove(options);
      const id = 'answer';
      const said: StreamPart[] = toolCall
        ? [toolCall]
        : [
            { type: 'text-start', id },
            ...sentences.map((delta) => ({ type: 'text-delta' as const, id, delta })),
            { type: 'text-end', id },
          ];
      const parts: StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...said,
        { type: 'finish', finishReason: finishReason(toolCall, isCut), usage },
      ];
      return {
        stream: new ReadableStream({
          start: (controller) => {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
}

type ToolCall = { type: 'tool-call'; toolCallId: string; toolName: string; input: string };

function finishReason(toolCall: ToolCall | undefined, isCut: boolean): Generated['finishReason'] {
  if (toolCall) return { unified: 'tool-calls', raw: undefined };
  return { unified: isCut ? 'length' : 'stop', raw: undefined };
}

type Move = { toolCall?: ToolCall; sentences: string[] };

/** The next move within the bound of tokens. The model counts a word as one token. */
async function nextMoveWithin(
  options: CallOptions,
  answer: (request: AnswerRequest) => Promise<string[]>,
): Promise<Move & { isCut: boolean }> {
  const move = await chooseMove(options, answer);
  const words = move.sentences.join('').match(/\s*\S+/g) ?? [];
  const { maxOutputTokens = words.length } = options;
  if (words.length <= maxOutputTokens) return { ...move, isCut: false };
  return { ...move, sentences: [words.slice(0, maxOutputTokens).join('')], isCut: true };
}

async function chooseMove(
  options: CallOptions,
  answer: (request: AnswerRequest) => Promise<string[]>,
): Promise<Move> {
  const { prompt, tools = [], abortSignal: signal } = options;
  const asked = prompt.findLastIndex(({ role }) => role === 'user');
  const message = prompt[asked];
  const parts =
    message?.role === 'user'
      ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      : [];
  const sent = parts.flatMap(readFenced);
  const question = parts
    .filter((part) => part !== callerNote && readFenced(part).length === 0)
    .join('\n')
    .trim();
  const results = prompt
    .slice(asked + 1)
    .flatMap((later) => (later.role === 'tool' ? later.content : []));
  const maySearch = tools.some(({ name }) => name === searchTool);
  if (results.length === 0 && question !== '' && maySearch) {
    const input = JSON.stringify({
      query: firstCharacters(question, runLimits.queryCharacters / 2),
    });
    return {
      toolCall: { type: 'tool-call', toolCallId: randomUUID(), toolName: searchTool, input },
      sentences: [],
    };
  }
  const found = results.flatMap((part) =>
    part.type === 'tool-result' && part.output.type === 'text' ? readFenced(part.output.value) : [],
  );
  if (results.length === 0 && sent.length === 0 && !maySearch) return { sentences: [tooFewSteps] };
  const owner = String(options.providerOptions?.[extractiveModelName]?.['owner'] ?? '');
  return { sentences: await answer({ question, passages: [...sent, ...found], owner, signal }) };
}

/** So many code points, without a list of all that a megabyte has. */
const firstCharacters = (text: string, count: number): string =>
  [...text.slice(0, 2 * count)].slice(0, count).join('');
