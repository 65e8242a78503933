import { queryUncached } from '../../graph/client.ts';
import type { ApiFault } from '../../graph/fault.ts';
import {
  type AuditEntryFieldsFragment,
  AuditLogDocument,
  type AuditTotalQueryVariables,
} from './documents.ts';

type ReadLogInput = {
  variables: AuditTotalQueryVariables;
  signal: AbortSignal;
  onPage: (entries: readonly AuditEntryFieldsFragment[]) => void;
};

const pageSize = 100;
const rateLimitPauseMs = 5_000;

/**
 * Reads all entries that match the filter, page by page. Entries added meanwhile are newer and are
 * left out. Resolves with the error when it had to stop early.
 */
export async function readLog({
  variables,
  signal,
  onPage,
}: ReadLogInput): Promise<ApiFault | undefined> {
  for (let before: string | null = null; !signal.aborted; ) {
    const { data, fault }: Awaited<ReturnType<typeof fetchPage>> = await fetchPage(
      variables,
      before,
    );
    if (signal.aborted) return undefined;
    if (fault?.code === 'RATE_LIMITED') {
      await pause(signal);
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

const fetchPage = (variables: AuditTotalQueryVariables, before: string | null) =>
  queryUncached(AuditLogDocument, { ...variables, pageSize, before });

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, rateLimitPauseMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
