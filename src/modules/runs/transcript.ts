import type {
  ContentPart,
  FinishReason,
  LanguageModelUsage,
  StepResult,
  TextStreamPart,
  ToolSet,
} from 'ai';
import { createEventLoopYield } from '../../platform/event-loop-yield.ts';
import { CitedText, locatorsOf } from './cited-text.ts';
import type { RejectedAnswer } from './output/output-prompt.ts';
import type { OutputReading, StructuredAnswer } from './output/read-output.ts';
import type { Passages } from './passages.ts';
import type {
  AnswerMessage,
  AnswerToolOutput,
  AnswerToolResult,
  AssistantPart,
  ModelResult,
  RunEvent,
} from './run-result.ts';
import { type FinishedStep, stepUsageOf } from './run-steps.ts';

type TranscribedStep = Pick<FinishedStep, 'usage' | 'messages' | 'requestsTools' | 'finishReason'>;

// Checking the markers in this much text takes a few milliseconds.
const chunkCharacters = 500;

/** Records the steps of a run as messages and emits their events. */
export class Transcript {
  readonly #passages: Passages;
  readonly #emit: ((event: RunEvent) => void) | undefined;
  readonly #messages: AnswerMessage[] = [];
  readonly #usage = { promptTokens: 0, completionTokens: 0 };
  #finishReason: FinishReason = 'stop';
  #assistantParts: AssistantPart[] = [];
  #results: AnswerToolResult[] = [];
  #text: CitedText;
  readonly #pause = createEventLoopYield();
  readonly #stepEnded: (step: TranscribedStep) => Promise<void>;
  readonly #readAnswer: ((written: string) => Promise<OutputReading>) | undefined;
  /** The text of the step, if the answer is structured. Only a valid answer becomes a part. */
  #written = '';
  #answer: StructuredAnswer | undefined;
  #rejected: RejectedAnswer | undefined;
  #stepCount = 0;

  constructor(
    passages: Passages,
    emit: ((event: RunEvent) => void) | undefined,
    stepEnded: (step: TranscribedStep) => Promise<void>,
    readAnswer?: (written: string) => Promise<OutputReading>,
  ) {
    this.#passages = passages;
    this.#emit = emit;
    this.#stepEnded = stepEnded;
    this.#readAnswer = readAnswer;
    this.#text = new CitedText(passages);
  }

  get messages(): readonly AnswerMessage[] {
    return this.#messages;
  }

  /** What the steps so far have used. */
  get spent(): { steps: number; tokens: number; outputTokens: number } {
    const { promptTokens, completionTokens } = this.#usage;
    return {
      steps: this.#stepCount,
      tokens: promptTokens + completionTokens,
      outputTokens: completionTokens,
    };
  }

  /** The answer of the last step, if it is not valid under the schema of the run. */
  get rejected(): RejectedAnswer | undefined {
    return this.#rejected;
  }

  async record(part: TextStreamPart<ToolSet>): Promise<void> {
    if (part.type === 'start-step') this.#startStep();
    if (part.type === 'text-delta') await this.#write(part.text);
    if (part.type === 'text-end') this.#append('text', this.#text.end());
    if (part.type === 'reasoning-delta') this.#append('reasoning', part.text);
    this.#recordToolPart(part);
    if (part.type === 'finish-step') await this.#endStep(part);
  }

  /** Records a step that was not streamed. */
  async recordStep({
    content,
    usage,
    finishReason,
  }: Pick<StepResult<ToolSet>, 'content' | 'usage' | 'finishReason'>): Promise<void> {
    this.#startStep();
    for (const part of content) {
      if (part.type === 'text') {
        await this.#write(part.text);
        this.#append('text', this.#text.end());
      }
      if (part.type === 'reasoning') this.#append('reasoning', part.text);
      this.#recordToolPart(part);
    }
    await this.#endStep({ usage, finishReason });
  }

  /** Restores a step that was finished before the run was interrupted. */
  restoreStep({ messages, usage, finishReason }: TranscribedStep): void {
    this.#text = new CitedText(this.#passages);
    for (const { role, content } of messages) {
      if (role !== 'assistant') continue;
      for (const part of content) {
        if (part.type !== 'text') continue;
        this.#text.push(part.text);
        this.#text.end();
      }
    }
    this.#stepCount += 1;
    this.#messages.push(...messages);
    this.#usage.promptTokens += usage.promptTokens;
    this.#usage.completionTokens += usage.completionTokens;
    this.#finishReason = finishReason;
  }

  /**
   * The text of the result is the text of the last step. Text that the model wrote before its tools
   * answered is in the messages.
   */
  result(model: string, outputTokensMax: number): ModelResult {
    const { text } = this.#answer ?? this.#text;
    const details = this.#answer?.citationDetails ?? this.#text.details;
    // The token limit also ends a run between two steps. The last step is then a tool call whose
    // result the model never saw.
    const isCut =
      this.#finishReason === 'length' ||
      (this.#finishReason === 'tool-calls' && this.#usage.completionTokens >= outputTokensMax);
    const isFiltered = this.#finishReason === 'content-filter';
    return {
      text,
      ...(this.#answer && { output: this.#answer.output }),
      model,
      messages: this.#messages,
      usage: this.#usage,
      citations: locatorsOf(details),
      citationDetails: details,
      finishReason: isCut ? 'LENGTH' : isFiltered ? 'CONTENT_FILTER' : 'STOP',
    };
  }

  #startStep(): void {
    this.#text = new CitedText(this.#passages);
    this.#written = '';
    this.#rejected = undefined;
  }

  async #write(text: string): Promise<void> {
    if (this.#readAnswer) {
      this.#written += text;
      return;
    }
    for (let start = 0; start < text.length; start += chunkCharacters) {
      this.#append('text', this.#text.push(text.slice(start, start + chunkCharacters)));
      await this.#pause();
    }
  }

  #append(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    const last = this.#assistantParts.at(-1);
    if (last?.type === type) last.text += text;
    else this.#assistantParts.push({ type, text });
    this.#emit?.({ type, text });
  }

  #recordToolPart(part: TextStreamPart<ToolSet> | ContentPart<ToolSet>): void {
    if (part.type === 'tool-call') this.#recordToolCall(part.toolCallId, part.toolName, part.input);
    if (part.type === 'tool-result')
      this.#recordToolResult(part.toolCallId, part.toolName, {
        type: 'text',
        value: String(part.output),
      });
    if (part.type === 'tool-error')
      this.#recordToolResult(part.toolCallId, part.toolName, {
        type: 'error-text',
        value: messageOf(part.error),
      });
  }

  #recordToolCall(toolCallId: string, toolName: string, input: unknown): void {
    this.#assistantParts.push({ type: 'tool-call', toolCallId, toolName, input });
    this.#emit?.({ type: 'tool-call', toolCallId, toolName, input });
  }

  #recordToolResult(toolCallId: string, toolName: string, output: AnswerToolOutput): void {
    this.#results.push({ type: 'tool-result', toolCallId, toolName, output });
    this.#emit?.({ type: 'tool-result', toolCallId, toolName, output });
  }

  /**
   * Reads the structured answer of a step. Text beside tool calls is not the answer, and a client
   * that joins the text of all events must get the answer.
   */
  async #endAnswer(): Promise<void> {
    if (!this.#readAnswer || this.#assistantParts.some(({ type }) => type === 'tool-call')) return;
    const reading = await this.#readAnswer(this.#written);
    if ('faults' in reading) this.#rejected = { text: this.#written, faults: reading.faults };
    else {
      this.#answer = reading;
      this.#append('text', reading.text);
    }
  }

  /**
   * Orders the tool results like the calls, whichever result came first. An answer that cannot be
   * checked ends the run after its step was recorded, because the model has used its tokens.
   */
  async #endStep({
    usage: languageModelUsage,
    finishReason,
  }: {
    usage: LanguageModelUsage;
    finishReason: FinishReason;
  }): Promise<void> {
    const usage = stepUsageOf(languageModelUsage);
    this.#finishReason = finishReason;
    this.#stepCount += 1;
    const [answer] = await Promise.allSettled([this.#endAnswer()]);
    this.#usage.promptTokens += usage.promptTokens;
    this.#usage.completionTokens += usage.completionTokens;
    const messages: AnswerMessage[] = [];
    if (this.#assistantParts.length > 0)
      messages.push({ role: 'assistant', content: this.#assistantParts });
    const callOrder = new Map<string, number>();
    for (const part of this.#assistantParts)
      if (part.type === 'tool-call' && !callOrder.has(part.toolCallId))
        callOrder.set(part.toolCallId, callOrder.size);
    const results = this.#results.toSorted(
      (a, b) => (callOrder.get(a.toolCallId) ?? -1) - (callOrder.get(b.toolCallId) ?? -1),
    );
    if (results.length > 0) messages.push({ role: 'tool', content: results });
    this.#messages.push(...messages);
    this.#assistantParts = [];
    this.#results = [];
    await this.#stepEnded({
      usage,
      messages,
      requestsTools: results.length > 0,
      finishReason,
    });
    if (answer.status === 'rejected') throw answer.reason;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
