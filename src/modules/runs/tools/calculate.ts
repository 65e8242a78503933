import { z } from 'zod';
import { ExpressionError, evaluate } from '../expression.ts';
import { defineTool, ToolError } from '../tool.ts';

export const calculate = defineTool({
  name: 'calculate',
  description:
    'Computes an arithmetic expression exactly as written: + - * / % ^, parentheses, sqrt, abs, round, floor, ceil, min, max, ln, log10, exp, pi, e.',
  input: z.object({
    expression: z.string().min(1).max(1_000).describe('For example (1250 - 200) * 1.19'),
  }),
  run: ({ expression }) => {
    try {
      return evaluate(expression);
    } catch (error) {
      if (error instanceof ExpressionError) throw new ToolError(error.message);
      throw error;
    }
  },
});
