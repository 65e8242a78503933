import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { runLimits } from '../run-limits.ts';
import { defineTool, ToolError } from '../tool.ts';

export const searchKnowledge = defineTool({
  name: 'search_knowledge',
  description:
    "Finds passages in the assistant's files. Use it before you answer anything that the files may say something about, and cite what you use by the number in brackets, like [1].",
  input: z.object({
    query: z
      .string()
      .trim()
      .min(1)
      .max(runLimits.queryCharacters)
      .describe('What to look for: a question or a few words.'),
  }),
  run: async ({ query }, { search, present }) => {
    try {
      return present(await search(query));
    } catch (error) {
      // The model wrote the query, so the model gets the error and may try another query. It is not
      // an error of the caller.
      throw error instanceof AppError && error.code === 'BAD_INPUT'
        ? new ToolError(error.message)
        : error;
    }
  },
});
