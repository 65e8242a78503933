import { queryUncached } from '../../graph/client.ts';
import type { Fault } from '../../graph/fault.ts';
import {
  AuditLogDocument,
  type AuditTotalQueryVariables,
  type EntryPartsFragment,
} from './documents.ts';

type ReadLogInput = {
  variables: AuditTotalQueryVariables;
  signal: AbortSignal;
  onPage: (entries: readonly EntryPartsFragment[]) => void;
};

const pageSize = 100;
const waitMs = 5_000;

/**
 * Reads all that the filter finds, page by page; what is added meanwhile is newer and is left out.
 * Answers why it stopped early.
 */
export async function readLog({
  variables,
  signal,
  onPage,
}: ReadLogInput): Promise<Fault | undefined> {
  for (let before: string | null = null; !signal.aborted; ) {
    const { data, fault }: Awaited<ReturnType<typeof askPage>> = await askPage(variables, before);
    if (signal.aborted) return undefined;
    if (fault?.code === 'RATE_LIMITED') {
      await rest(signal);
      continue;
    }
    if (fault) return fault;
    const { items } = data.auditEntries;
    onPage(items);
    before = items.at(-1)?.id ?? null;
    if (items.length < pageSize) return undefined;
  }
  return undefined;
}

const askPage = (variables: AuditTotalQueryVariables, before: string | null) =>
  queryUncached(AuditLogDocument, { ...variables, pageSize, before });

const rest = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
