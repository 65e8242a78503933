import { type Schema, zodSchema } from 'ai';
import type { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { FoundPassage } from './passages.ts';

/** What a tool may use. */
export type ToolContext = {
  clock: Clock;
  /** Finds passages in the assistant's files, and what the model reads of them. */
  search: (query: string) => Promise<FoundPassage[]>;
  /** Puts passages into words for the model: numbered, and fenced off as data. */
  present: (passages: readonly FoundPassage[]) => string;
};

type ToolSpec<Input> = {
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  input: z.ZodType<Input>;
  run: (input: Input, context: ToolContext) => string | Promise<string>;
};

/** Something a model can ask for. A file in tools/ that exports one is all it takes. */
export class Tool {
  readonly name: string;
  readonly description: string;
  /**
   * Made once: to write a schema as JSON costs a millisecond, and every step of every run needs it.
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

export const defineTool = <Input>({ name, description, input, run }: ToolSpec<Input>): Tool =>
  new Tool(name, description, zodSchema(input), async (given, context) =>
    run(input.parse(given), context),
  );

/** Why a tool cannot do what it was asked; the model reads it and may ask differently. */
export class ToolFault extends Error {}
