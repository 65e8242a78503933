import { z } from 'zod';
import { defineTool, ToolFault } from '../tool.ts';

export const currentTime = defineTool({
  name: 'current_time',
  description: 'Tells the date, the day of the week and the time.',
  input: z.object({
    timeZone: z
      .string()
      .max(100)
      .optional()
      .describe('A zone of the IANA database, like Europe/Berlin; left out, it is UTC.'),
  }),
  run: ({ timeZone = 'UTC' }, { clock }) => {
    const now = clock();
    return `${wordsFor(now, timeZone)} (${timeZone}); ${now.toISOString()} in UTC`;
  },
});

function wordsFor(now: Date, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'full',
      timeStyle: 'long',
      timeZone,
    }).format(now);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ToolFault(
        'There is no such time zone; give one of the IANA database, like Europe/Berlin',
      );
    throw error;
  }
}
