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
import type { Passages } from './passages.ts';
import type {
  AnswerMessage,
  AnswerToolOutput,
  AnswerToolResult,
  AssistantPart,
  RunEvent,
  RunResult,
} from './run-result.ts';

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

  constructor(passages: Passages, emit: ((event: RunEvent) => void) | undefined) {
    this.#passages = passages;
    this.#emit = emit;
    this.#text = new CitedText(passages);
  }

  async record(part: TextStreamPart<ToolSet>): Promise<void> {
    if (part.type === 'start-step') this.#text = new CitedText(this.#passages);
    if (part.type === 'text-delta') await this.#write(part.text);
    if (part.type === 'text-end') this.#append('text', this.#text.end());
    if (part.type === 'reasoning-delta') this.#append('reasoning', part.text);
    this.#recordToolPart(part);
    if (part.type === 'finish-step') this.#endStep(part);
  }

  /** Records a step that was not streamed. */
  async recordStep({
    content,
    usage,
    finishReason,
  }: Pick<StepResult<ToolSet>, 'content' | 'usage' | 'finishReason'>): Promise<void> {
    this.#text = new CitedText(this.#passages);
    for (const part of content) {
      if (part.type === 'text') {
        await this.#write(part.text);
        this.#append('text', this.#text.end());
      }
      if (part.type === 'reasoning') this.#append('reasoning', part.text);
      this.#recordToolPart(part);
    }
    this.#endStep({ usage, finishReason });
  }

  /**
   * The text of the result is the text of the last step. Text that the model wrote before its tools
   * answered is in the messages.
   */
  result(model: string, outputTokensMax: number): RunResult {
    const { text, details } = this.#text;
    // The token limit also ends a run between two steps. The last step is then a tool call whose
    // result the model never saw.
    const isCut =
      this.#finishReason === 'length' ||
      (this.#finishReason === 'tool-calls' && this.#usage.completionTokens >= outputTokensMax);
    return {
      text,
      model,
      messages: this.#messages,
      usage: this.#usage,
      citations: locatorsOf(details),
      citationDetails: details,
      finishReason: isCut ? 'LENGTH' : 'STOP',
    };
  }

  async #write(text: string): Promise<void> {
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

  /** Orders the tool results like the calls, whichever result came first. */
  #endStep({
    usage: { inputTokens = 0, outputTokens = 0 },
    finishReason,
  }: {
    usage: LanguageModelUsage;
    finishReason: FinishReason;
  }): void {
    this.#finishReason = finishReason;
    this.#usage.promptTokens += inputTokens;
    this.#usage.completionTokens += outputTokens;
    if (this.#assistantParts.length > 0)
      this.#messages.push({ role: 'assistant', content: this.#assistantParts });
    const callOrder = new Map<string, number>();
    for (const part of this.#assistantParts)
      if (part.type === 'tool-call' && !callOrder.has(part.toolCallId))
        callOrder.set(part.toolCallId, callOrder.size);
    const results = this.#results.toSorted(
      (a, b) => (callOrder.get(a.toolCallId) ?? -1) - (callOrder.get(b.toolCallId) ?? -1),
    );
    if (results.length > 0) this.#messages.push({ role: 'tool', content: results });
    this.#assistantParts = [];
    this.#results = [];
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
