import { createHash } from 'node:crypto';
import type { FoundPassage, NumberedPassage, Passages } from '../passages.ts';
import { Tool, ToolError } from '../tool.ts';

/** What a tool call returned, and the passages that it has shown to the model. */
export type ToolResult = { output: string; isError: boolean; passages: NumberedPassage[] };

type CallStore = {
  runId: string;
  /** The number of the step that is executed. */
  step: () => number;
  passages: Passages;
  /** The stored results by token. */
  stored: ReadonlyMap<string, ToolResult>;
  save: (token: string, result: ToolResult) => Promise<void>;
};

/**
 * The tools of a durable run. Each call has a token, which follows from the run, the step, the tool
 * and the input, and its result is stored under it. If the step is repeated after an interruption,
 * the same call is answered from the store.
 */
export function idempotentTools(tools: readonly Tool[], store: CallStore): Tool[] {
  const results = new Map<string, Promise<ToolResult>>(
    [...store.stored].map(([token, result]) => [token, Promise.resolve(result)]),
  );
  return tools.map(
    (tool) =>
      new Tool(tool.name, tool.description, tool.inputSchema, async (input, context) => {
        const token = tokenOf([store.runId, store.step(), tool.name, input]);
        const call = async (): Promise<ToolResult> => {
          const shown: FoundPassage[] = [];
          const present = (found: readonly FoundPassage[]) => {
            shown.push(...found);
            return context.present(found);
          };
          const answer = await answerOf(() =>
            tool.run(input, { ...context, present, idempotencyToken: token }),
          );
          const result = { ...answer, passages: shown.map((one) => store.passages.add(one)) };
          await store.save(token, result);
          return result;
        };
        const pending = results.get(token) ?? call();
        results.set(token, pending);
        const { output, isError } = await pending;
        if (isError) throw new ToolError(output);
        return output;
      }),
  );
}

/** An error that the model reads is a result. Any other error ends the run, and is not stored. */
async function answerOf(run: () => Promise<string>): Promise<Omit<ToolResult, 'passages'>> {
  try {
    return { output: await run(), isError: false };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { output: error.message, isError: true };
  }
}

const tokenOf = (call: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(withSortedKeys(call)))
    .digest('base64url');

/** A model may write the fields of the same input in another order. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, withSortedKeys(inner)]),
  );
}
