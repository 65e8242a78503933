import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import type { Actor } from '../audit/record-change.ts';
import {
  type AssistantSettings,
  insertVersion,
  settingsColumns,
  versionsMax,
} from './assistant-version.ts';
import { refuseOldVersion } from './refuse-old-version.ts';

type AssistantKey = { assistantId: string; organizationId: string };

type StoreSettingsInput = AssistantKey & {
  data: Partial<AssistantSettings>;
  /** The version that the editor has read. */
  basedOn: number | null | undefined;
  restoredNumber: number | undefined;
  author: Actor;
  at: Date;
};

/**
 * Changes the settings of an assistant. If they differ from those before, they are stored as a
 * version too, whose number is chosen while the row of the assistant is locked.
 */
export async function storeSettings(
  { assistantId, organizationId, data, basedOn, restoredNumber, author, at }: StoreSettingsInput,
  tx: Transaction,
): Promise<void> {
  const key = { assistantId, organizationId };
  const { version, hasVersion, ...before } = await lockSettings(key, tx);
  if (basedOn != null && version > basedOn)
    await refuseOldVersion({ ...key, version }, { database: tx });
  const after = { ...before, ...data };
  const isChanged = !isDeepStrictEqual(before, after);
  const condition = fragment`where id = ${assistantId} and organization_id = ${organizationId}`;
  // Each change has a time of its own, because runs record it as the version of the assistant.
  const update = fragment`
    update assistants set
      name = ${after.name}, description = ${after.description}, instructions = ${after.instructions},
      model = ${after.model}, temperature = ${after.temperature}::float8, step_limit = ${after.stepLimit}::int,
      starter_questions = ${after.starterQuestions}::text[], color = ${after.color}::assistant_color,
      version = version + ${isChanged ? 1 : 0}::int,
      updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
    ${condition}`;
  if (!isChanged) {
    tx.enqueue`${update}`;
    return;
  }
  if (!hasVersion) {
    const source = fragment`(select * from assistants ${condition})`;
    // A change that this transaction has waited for may have stored it since.
    tx.enqueue`${insertVersion({ source, at })} on conflict (assistant_id, number) do nothing`;
  }
  const source = fragment`changed`;
  tx.enqueue`with changed as (${update} returning *) ${insertVersion({ source, at, author, restoredNumber })}`;
  if (version >= versionsMax)
    tx.enqueue`
      delete from assistant_versions
      where assistant_id = ${assistantId} and organization_id = ${organizationId} and number <= ${version + 1 - versionsMax}::int`;
}

type LockedSettings = AssistantSettings & {
  version: number;
  /** False for an assistant that was stored without its first version. */
  hasVersion: boolean;
};

/** Locks an assistant, so that its changes happen one after another, and reads its settings. */
async function lockSettings(
  { assistantId, organizationId }: AssistantKey,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<LockedSettings> {
  const [assistant] = await sql<LockedSettings>`
    select ${settingsColumns}, a.version, exists (
      select from assistant_versions v where v.assistant_id = a.id and v.number = a.version) as "hasVersion"
    from assistants a where a.id = ${assistantId} and a.organization_id = ${organizationId} for update of a`;
  if (!assistant) throw notFound('Assistant');
  return assistant;
}
