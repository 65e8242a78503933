import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { runLimits } from '../run-limits.ts';
import { defineTool, ToolFault } from '../tool.ts';

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
      // The query is the model's, so it is the model that may ask differently, and not the caller.
      throw error instanceof AppError && error.code === 'BAD_INPUT'
        ? new ToolFault(error.message)
        : error;
    }
  },
});
