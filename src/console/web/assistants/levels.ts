import type { AccessLevel } from './documents.ts';

/** The label of each access level, and what it allows. */
export const levelTexts: Record<AccessLevel, { label: string; allows: string }> = {
  VIEW: { label: 'Can chat', allows: 'view it and its files, and chat with it' },
  EDIT: { label: 'Can edit', allows: 'also change it and its files' },
  OWNER: { label: 'Owner', allows: 'also share and delete it' },
};

export const mayEdit = (level: AccessLevel): boolean => level !== 'VIEW';
export const mayShare = (level: AccessLevel): boolean => level === 'OWNER';

const levels: readonly AccessLevel[] = ['VIEW', 'EDIT', 'OWNER'];

export const levelOptions = levels.map((value) => ({ value, label: levelTexts[value].label }));

export const levelsHint = levels
  .map((level) => `${levelTexts[level].label}: ${levelTexts[level].allows}.`)
  .join(' ');
