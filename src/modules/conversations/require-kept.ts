import { AppError } from '../../platform/errors.ts';
import type { RetentionSettings } from '../organizations/retention-settings.ts';

/** Throws if the organization keeps no conversations. */
export function requireKept({
  keepsConversations,
}: Pick<RetentionSettings, 'keepsConversations'>): void {
  if (!keepsConversations)
    throw new AppError(
      'FORBIDDEN',
      'This organization does not keep conversations. Its administrators can change this',
      'CONVERSATIONS_NOT_KEPT',
    );
}
