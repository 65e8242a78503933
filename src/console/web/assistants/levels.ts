import type { AccessLevel } from './documents.ts';

/** The label of each access level, and what it allows. */
export const levelTexts: Record<AccessLevel, { label: string; allows: string }> = {
  VIEW: { label: 'Can chat', allows: 'view it and its files, and chat with it' },
  EDIT: { label: 'Can edit', allows: 'also change it and its files' },
  OWNER: { label: 'Owner', allows: 'also share and delete it' },
};

export const mayEdit = (level: AccessLevel): boolean => level !== 'VIEW';
export const mayShare = (level: AccessLevel): boolean => level === 'OWNER';
