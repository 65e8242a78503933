import type { AccessLevel } from './documents.ts';

/** What each level allows, in the words of the pages. */
export const levelWords: Record<AccessLevel, { label: string; allows: string }> = {
  VIEW: { label: 'Can chat', allows: 'see it, its files, and chat with it' },
  EDIT: { label: 'Can edit', allows: 'also change it and its files' },
  OWNER: { label: 'Owner', allows: 'also share and delete it' },
};

export const mayEdit = (level: AccessLevel): boolean => level !== 'VIEW';
export const mayShare = (level: AccessLevel): boolean => level === 'OWNER';
