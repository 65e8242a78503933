import { z } from 'zod';
import { defineTool, ToolError } from '../tool.ts';

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
    return `${formatTime(now, timeZone)} (${timeZone}); ${now.toISOString()} in UTC`;
  },
});

function formatTime(now: Date, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'full',
      timeStyle: 'long',
      timeZone,
    }).format(now);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ToolError(
        'There is no such time zone; give one of the IANA database, like Europe/Berlin',
      );
    throw error;
  }
}
