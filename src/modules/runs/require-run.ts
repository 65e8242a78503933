import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { inputError } from '../../platform/errors.ts';
import type { Person } from '../assistants/access.ts';
import { requireRunnable } from '../assistants/require-assistant.ts';
import { requireRunningSponsorship } from '../sponsorship/redeeming/require-running-sponsorship.ts';
import { extractiveModelName } from './extractive/extractive-model.ts';
import type { RunOutput } from './output/read-output.ts';

/**
 * Finds an assistant that this person may run now: they have access and the organization's
 * sponsorship is running.
 */
export async function requireRun(
  { assistantId, person }: { assistantId: string; person: Person },
  { database, clock }: { database: Database; clock: Clock },
) {
  const { organizationId } = person;
  // Both are read at once; the access is decided first.
  const [assistant, sponsorship] = await Promise.allSettled([
    requireRunnable({ assistantId, person }, { database }),
    requireRunningSponsorship({ organizationId }, { database, clock }),
  ]);
  if (assistant.status === 'rejected') throw assistant.reason;
  if (sponsorship.status === 'rejected') throw sponsorship.reason;
  return assistant.value;
}

/** Refuses a schema for the built-in model, which follows no instructions. */
export function requireOutputSupport(
  { output }: { output?: RunOutput | undefined },
  model: string,
): void {
  if (output && model === extractiveModelName)
    throw inputError(
      'output',
      'INVALID',
      `output needs a model of a provider: ${extractiveModelName}, the model of this assistant, answers with sentences of its files only`,
    );
}
