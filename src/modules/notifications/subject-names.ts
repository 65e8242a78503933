import type { Database } from '../../platform/database/database.ts';
import { readFiles } from '../assistant-files/read-files.ts';
import type { Person } from '../assistants/access.ts';
import { readAssistants } from '../assistants/read-assistants.ts';
import { sponsorship } from '../organizations/features.ts';
import { readRedemptions } from '../sponsorship/redemptions/read-redemptions.ts';
import type { Redemption } from '../sponsorship/redemptions/redemption.ts';
import type { Notification } from './notification.ts';

/** The person who reads notifications, with the features of their organization. */
export type NotificationReader = Person & { features: ReadonlySet<string> };

/** What a notification is about, as the key of its name: an assistant, a file or a redemption. */
export function subjectKeyOf({ kind, subjectId, assistantId }: Notification): string | null {
  if (kind === 'FILE_FAILED') return `file ${subjectId}`;
  if (kind === 'REDEMPTION_ENDS') return `redemption ${subjectId}`;
  if (kind === 'ASSISTANT_SHARED') return `assistant ${subjectId}`;
  return assistantId === null ? null : `assistant ${assistantId}`;
}

/**
 * The names of files, assistants and sponsored workspaces, in the order of the keys; null for what
 * is deleted, or what the person may no longer see.
 */
export async function readSubjectNames(
  { keys, person }: { keys: readonly string[]; person: NotificationReader },
  dependencies: { database: Database },
): Promise<(string | null)[]> {
  const idsOf = (type: string) =>
    keys.filter((key) => key.startsWith(type)).map((key) => key.slice(type.length));
  const [fileIds, assistantIds] = [idsOf('file '), idsOf('assistant ')];
  const redemptionIds = idsOf('redemption ');
  const [files, assistants, redemptions] = await Promise.all([
    fileIds.length === 0 ? [] : readFiles({ ids: fileIds, person }, dependencies),
    assistantIds.length === 0 ? [] : readAssistants({ ids: assistantIds, person }, dependencies),
    readVisibleRedemptions({ ids: redemptionIds, person }, dependencies),
  ]);
  const names = new Map<string, string | undefined>([
    ...fileIds.map((id, index) => [`file ${id}`, files[index]?.originalName] as const),
    ...assistantIds.map((id, index) => [`assistant ${id}`, assistants[index]?.name] as const),
    ...redemptionIds.map(
      (id, index) => [`redemption ${id}`, redemptions[index]?.organizationName] as const,
    ),
  ]);
  return keys.map((key) => names.get(key) ?? null);
}

type RedemptionsOfReader = { ids: readonly string[]; person: NotificationReader };

/** The ends of sponsorships in the order of the ids, as of now; null where a name is null. */
export async function readSponsorshipEnds(
  input: RedemptionsOfReader,
  dependencies: { database: Database },
): Promise<(string | null)[]> {
  const redemptions = await readVisibleRedemptions(input, dependencies);
  return input.ids.map((_, index) => redemptions[index]?.sponsoredUntil ?? null);
}

/** A person who is no longer an administrator of a partner sees none. */
async function readVisibleRedemptions(
  { ids, person: { organizationId, isAdmin, features } }: RedemptionsOfReader,
  dependencies: { database: Database },
): Promise<(Redemption | undefined)[]> {
  const maySee = isAdmin && sponsorship.sessionFeatures.every((feature) => features.has(feature));
  if (!maySee || ids.length === 0) return [];
  return readRedemptions({ organizationId, redemptionIds: ids }, dependencies);
}
