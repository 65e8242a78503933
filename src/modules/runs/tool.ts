import { type Schema, zodSchema } from 'ai';
import type { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { FoundPassage } from './passages.ts';

/** What a tool may use while it runs. */
export type ToolContext = {
  clock: Clock;
  /** Searches the files of the assistant for passages. */
  search: (query: string) => Promise<FoundPassage[]>;
  /** Formats passages for the model: numbered, and marked as data. */
  present: (passages: readonly FoundPassage[]) => string;
  /**
   * The same for the same call if a durable run repeats it after an interruption. A tool with
   * effects elsewhere passes it on, so that they happen once. Absent in other runs.
   */
  idempotencyToken?: string;
};

type ToolDefinition<Input> = {
  name: string;
  /** Tells the model what the tool does and when to use it. */
  description: string;
  input: z.ZodType<Input>;
  run: (input: Input, context: ToolContext) => string | Promise<string>;
};

/** A tool that a model can call. To add one, create a file in tools/ that exports it. */
export class Tool {
  readonly name: string;
  readonly description: string;
  /**
   * Computed once: converting a schema to JSON takes a millisecond, and every step of every run
   * needs it.
   */
  readonly inputSchema: Schema<unknown>;
  readonly run: (input: unknown, context: ToolContext) => Promise<string>;

  constructor(name: string, description: string, inputSchema: Schema<unknown>, run: Tool['run']) {
    this.name = name;
    this.description = description;
    this.inputSchema = inputSchema;
    this.run = run;
  }
}

export const defineTool = <Input>({ name, description, input, run }: ToolDefinition<Input>): Tool =>
  new Tool(name, description, zodSchema(input), async (value, context) =>
    run(input.parse(value), context),
  );

/**
 * The error of a tool whose input cannot be used. The model reads the message and may call the tool
 * differently.
 */
export class ToolError extends Error {}
