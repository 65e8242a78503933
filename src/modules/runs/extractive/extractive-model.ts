import { randomUUID } from 'node:crypto';
import type { LanguageModel } from 'ai';
import { type FencedPassage, readFenced } from '../fence.ts';
import { callerNote } from '../prompt.ts';
import { runLimits } from '../run-limits.ts';
import { contentWords } from '../words.ts';
import type { AnswerRequest } from './answer-in-thread.ts';
import { isFollowUp, smallTalkAnswer } from './small-talk.ts';

/** The interface that the SDK requires of a model. */
type ModelInterface = Extract<Exclude<LanguageModel, string>, { specificationVersion: 'v4' }>;
type ModelCallOptions = Parameters<ModelInterface['doGenerate']>[0];
type PromptMessage = ModelCallOptions['prompt'][number];
type GenerateResult = Awaited<ReturnType<ModelInterface['doGenerate']>>;
type StreamPart =
  Awaited<ReturnType<ModelInterface['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;

export const extractiveModelName = 'atrium-extractive';
const tooFewStepsAnswer = 'This assistant may take one step only: too few to look into its files.';
const searchTool = 'search_knowledge';
// A longer message is no follow-up.
const followUpCharactersMax = 500;

// The built-in model uses no tokens.
const noUsage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/**
 * The built-in model, which needs no provider. It is not a neural network: it searches the files of
 * the assistant for the question and answers with the sentences that cover most of the words of the
 * question, each with its source. Its own sentences answer a greeting, or say that it found nothing.
 * It does not understand text and follows no instructions.
 */
export function createExtractiveModel(
  findAnswer: (request: AnswerRequest) => Promise<string[]>,
): ModelInterface {
  const nextStep = (options: ModelCallOptions) => nextStepWithin(options, findAnswer);
  return {
    specificationVersion: 'v4',
    provider: 'atrium',
    modelId: extractiveModelName,
    supportedUrls: {},
    doGenerate: async (options) => {
      const { toolCall, sentences, isCut } = await nextStep(options);
      const content: GenerateResult['content'] = toolCall
        ? [toolCall]
        : [{ type: 'text', text: sentences.join('') }];
      return { content, finishReason: finishReason(toolCall, isCut), usage: noUsage, warnings: [] };
    },
    doStream: async (options) => {
      const { toolCall, sentences, isCut } = await nextStep(options);
      const id = 'answer';
      const textOrCall: StreamPart[] = toolCall
        ? [toolCall]
        : [
            { type: 'text-start', id },
            ...sentences.map((delta) => ({ type: 'text-delta' as const, id, delta })),
            { type: 'text-end', id },
          ];
      const parts: StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...textOrCall,
        { type: 'finish', finishReason: finishReason(toolCall, isCut), usage: noUsage },
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

type ModelToolCall = { type: 'tool-call'; toolCallId: string; toolName: string; input: string };

function finishReason(
  toolCall: ModelToolCall | undefined,
  isCut: boolean,
): GenerateResult['finishReason'] {
  if (toolCall) return { unified: 'tool-calls', raw: undefined };
  return { unified: isCut ? 'length' : 'stop', raw: undefined };
}

type ModelStep = { toolCall?: ModelToolCall; sentences: string[] };

/** The next step within the token limit. The model counts a word as one token. */
async function nextStepWithin(
  options: ModelCallOptions,
  findAnswer: (request: AnswerRequest) => Promise<string[]>,
): Promise<ModelStep & { isCut: boolean }> {
  const step = await chooseStep(options, findAnswer);
  const words = step.sentences.join('').match(/\s*\S+/g) ?? [];
  const { maxOutputTokens = words.length } = options;
  if (words.length <= maxOutputTokens) return { ...step, isCut: false };
  return { ...step, sentences: [words.slice(0, maxOutputTokens).join('')], isCut: true };
}

async function chooseStep(
  options: ModelCallOptions,
  findAnswer: (request: AnswerRequest) => Promise<string[]>,
): Promise<ModelStep> {
  const { prompt, tools = [], abortSignal: signal } = options;
  const questionIndex = prompt.findLastIndex(({ role }) => role === 'user');
  const message = prompt[questionIndex];
  const { question, passages: sentPassages } = partsOfMessage(message);
  const results = prompt
    .slice(questionIndex + 1)
    .flatMap((reply) => (reply.role === 'tool' ? reply.content : []));
  const smallTalk = smallTalkAnswer(question);
  if (results.length === 0 && sentPassages.length === 0 && smallTalk !== undefined)
    return { sentences: [smallTalk] };
  const previous = prompt.slice(0, Math.max(0, questionIndex)).findLast(isUserMessage);
  const context =
    previous && isFollowUp(question, contentWords(question.slice(0, followUpCharactersMax)).length)
      ? partsOfMessage(previous).question
      : undefined;
  const maySearch = tools.some(({ name }) => name === searchTool);
  if (results.length === 0 && question !== '' && maySearch) {
    const input = JSON.stringify({
      query: firstCharacters(
        context === undefined ? question : `${question}\n${context}`,
        runLimits.queryCharacters / 2,
      ),
    });
    return {
      toolCall: { type: 'tool-call', toolCallId: randomUUID(), toolName: searchTool, input },
      sentences: [],
    };
  }
  const foundPassages = results.flatMap((part) =>
    part.type === 'tool-result' && part.output.type === 'text' ? readFenced(part.output.value) : [],
  );
  if (results.length === 0 && sentPassages.length === 0 && !maySearch)
    return { sentences: [tooFewStepsAnswer] };
  const owner = String(options.providerOptions?.[extractiveModelName]?.['owner'] ?? '');
  return {
    sentences: await findAnswer({
      question,
      passages: [...sentPassages, ...foundPassages],
      context,
      owner,
      signal,
    }),
  };
}

const isUserMessage = ({ role }: PromptMessage): boolean => role === 'user';

/** What the person wrote, and the passages of the files sent with it. */
function partsOfMessage(message: PromptMessage | undefined): {
  question: string;
  passages: FencedPassage[];
} {
  const content = message?.role === 'user' ? message.content : [];
  const written: string[] = [];
  const passages: FencedPassage[] = [];
  for (const part of content) {
    if (part.type !== 'text' || part.text === callerNote) continue;
    const fenced = readFenced(part.text);
    if (fenced.length === 0) written.push(part.text);
    for (const passage of fenced) passages.push(passage);
  }
  return { question: written.join('\n').trim(), passages };
}

/** The first `count` code points. It does not build the list of all code points of a long text. */
const firstCharacters = (text: string, count: number): string =>
  [...text.slice(0, 2 * count)].slice(0, count).join('');
