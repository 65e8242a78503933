import type { PlainKey } from '../texts/catalogue.ts';
import { t } from '../texts/text.ts';
import type { AccessLevel } from './documents.ts';

/** The label of each access level, and what it allows. */
export const levelTexts: Record<AccessLevel, { label: PlainKey; allows: PlainKey }> = {
  VIEW: { label: 'assistants.canChat', allows: 'assistants.canChatAllows' },
  EDIT: { label: 'assistants.canEdit', allows: 'assistants.canEditAllows' },
  OWNER: { label: 'assistants.owner', allows: 'assistants.ownerAllows' },
};

export const mayEdit = (level: AccessLevel): boolean => level !== 'VIEW';
export const mayShare = (level: AccessLevel): boolean => level === 'OWNER';

export const levels: readonly AccessLevel[] = ['VIEW', 'EDIT', 'OWNER'];

export const parseLevel = (value: string): AccessLevel =>
  levels.find((level) => level === value) ?? 'VIEW';

export const levelOptions = () =>
  levels.map((value) => ({ value, label: t(levelTexts[value].label) }));

export const levelsHint = (): string =>
  levels.map((level) => `${t(levelTexts[level].label)}: ${t(levelTexts[level].allows)}.`).join(' ');
