import type { AccessLevel } from '../documents.ts';
import { levelTexts } from '../levels.ts';

const levels: readonly AccessLevel[] = ['VIEW', 'EDIT', 'OWNER'];

export const levelOptions = levels.map((value) => ({ value, label: levelTexts[value].label }));

export const levelsHint = levels
  .map((level) => `${levelTexts[level].label}: ${levelTexts[level].allows}.`)
  .join(' ');
