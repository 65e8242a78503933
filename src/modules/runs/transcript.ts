import type {
  ContentPart,
  FinishReason,
  LanguageModelUsage,
  StepResult,
  TextStreamPart,
  ToolSet,
} from 'ai';
import { createBreaks } from '../../platform/breaks.ts';
import { CitedText, locatorsOf } from './cited-text.ts';
import type { Passages } from './passages.ts';
import type {
  AssistantPart,
  RunEvent,
  RunMessage,
  RunResult,
  ToolOutput,
  ToolResultPart,
} from './run-result.ts';

// The markers in this much text are checked in a few milliseconds.
const pieceCharacters = 500;

/** What happens in a run, told as it comes and kept as messages, step by step. */
export class Transcript {
  readonly #passages: Passages;
  readonly #emit: ((event: RunEvent) => void) | undefined;
  readonly #messages: RunMessage[] = [];
  readonly #usage = { promptTokens: 0, completionTokens: 0 };
  #finishReason: FinishReason = 'stop';
  #said: AssistantPart[] = [];
  #results: ToolResultPart[] = [];
  #text: CitedText;
  readonly #pause = createBreaks();

  constructor(passages: Passages, emit: ((event: RunEvent) => void) | undefined) {
    this.#passages = passages;
    this.#emit = emit;
    this.#text = new CitedText(passages);
  }

  async take(part: TextStreamPart<ToolSet>): Promise<void> {
    if (part.type === 'start-step') this.#text = new CitedText(this.#passages);
    if (part.type === 'text-delta') await this.#write(part.text);
    if (part.type === 'text-end') this.#say('text', this.#text.end());
    if (part.type === 'reasoning-delta') this.#say('reasoning', part.text);
    this.#takeTool(part);
    if (part.type === 'finish-step') this.#endStep(part);
  }

  /** The same for a step that came whole. */
  async takeStep({
    content,
    usage,
    finishReason,
  }: Pick<StepResult<ToolSet>, 'content' | 'usage' | 'finishReason'>): Promise<void> {
    this.#text = new CitedText(this.#passages);
    for (const part of content) {
      if (part.type === 'text') {
        await this.#write(part.text);
        this.#say('text', this.#text.end());
      }
      if (part.type === 'reasoning') this.#say('reasoning', part.text);
      this.#takeTool(part);
    }
    this.#endStep({ usage, finishReason });
  }

  /**
   * The text is that of the last step: what the model said before its tools answered is in the
   * messages.
   */
  result(model: string, outputTokensMax: number): RunResult {
    const { text, details } = this.#text;
    // The bound also ends a run between two steps: then the tool that was asked for answered in
    // vain.
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
    for (let start = 0; start < text.length; start += pieceCharacters) {
      this.#say('text', this.#text.push(text.slice(start, start + pieceCharacters)));
      await this.#pause();
    }
  }

  #say(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    const last = this.#said.at(-1);
    if (last?.type === type) last.text += text;
    else this.#said.push({ type, text });
    this.#emit?.({ type, text });
  }

  #takeTool(part: TextStreamPart<ToolSet> | ContentPart<ToolSet>): void {
    if (part.type === 'tool-call') this.#call(part.toolCallId, part.toolName, part.input);
    if (part.type === 'tool-result')
      this.#answer(part.toolCallId, part.toolName, { type: 'text', value: String(part.output) });
    if (part.type === 'tool-error')
      this.#answer(part.toolCallId, part.toolName, {
        type: 'error-text',
        value: wordsOf(part.error),
      });
  }

  #call(toolCallId: string, toolName: string, input: unknown): void {
    this.#said.push({ type: 'tool-call', toolCallId, toolName, input });
    this.#emit?.({ type: 'tool-call', toolCallId, toolName, input });
  }

  #answer(toolCallId: string, toolName: string, output: ToolOutput): void {
    this.#results.push({ type: 'tool-result', toolCallId, toolName, output });
    this.#emit?.({ type: 'tool-result', toolCallId, toolName, output });
  }

  /** The results stand in the order of the calls, whichever was ready first. */
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
    if (this.#said.length > 0) this.#messages.push({ role: 'assistant', content: this.#said });
    const place = new Map<string, number>();
    for (const part of this.#said)
      if (part.type === 'tool-call' && !place.has(part.toolCallId))
        place.set(part.toolCallId, place.size);
    const results = this.#results.toSorted(
      (a, b) => (place.get(a.toolCallId) ?? -1) - (place.get(b.toolCallId) ?? -1),
    );
    if (results.length > 0) this.#messages.push({ role: 'tool', content: results });
    this.#said = [];
    this.#results = [];
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
