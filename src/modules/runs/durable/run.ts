import type { RunState } from '../../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import type { ErrorCode } from '../../../platform/errors.ts';
import type { RunRecord } from '../run-record.ts';

export type { RunState };

/** The record of a run as its caller sees it. */
export type Run = {
  id: string;
  assistantId: string;
  state: RunState;
  isDurable: boolean;
  model: string;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  contentUntil: string | null;
  stepCount: number;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  errorCode: ErrorCode | null;
};

/** For statements with `runs r`. */
export const runColumns: Fragment = fragment`
  r.id, r.assistant_id as "assistantId", r.state, r.is_durable as "isDurable", r.model, r.created_at as "createdAt",
  r.started_at as "startedAt", r.ended_at as "endedAt", r.content_until as "contentUntil", r.step_count as "stepCount",
  r.prompt_tokens as "promptTokens", r.completion_tokens as "completionTokens", r.cached_tokens as "cachedTokens",
  r.error_code as "errorCode"`;

export const hasEnded = ({ state }: { state: RunState }): boolean =>
  state !== 'QUEUED' && state !== 'RUNNING';

/** The record of a run whose caller is deleted names nobody. */
export type StoredRecord = Omit<RunRecord, 'userId'> & { userId: string | null };

/** For statements with `runs r`. */
export const recordColumns: Fragment = fragment`
  r.id, r.organization_id as "organizationId", r.user_id as "userId", r.key_id as "keyId", r.assistant_id as "assistantId",
  r.conversation_id as "conversationId", r.assistant_version as "assistantVersion", r.model`;

/** A run belongs to the person who started it, with whatever key. Others do not find it. */
export const isOwnedBy = ({
  organizationId,
  userId,
}: {
  organizationId: string;
  userId: string;
}): Fragment => fragment`r.organization_id = ${organizationId} and r.user_id = ${userId}`;
