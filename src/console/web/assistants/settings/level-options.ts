import type { AccessLevel } from '../documents.ts';
import { levelWords } from '../levels.ts';

const levels: readonly AccessLevel[] = ['VIEW', 'EDIT', 'OWNER'];

export const levelOptions = levels.map((value) => ({ value, label: levelWords[value].label }));

export const levelsExplained = levels
  .map((level) => `${levelWords[level].label}: ${levelWords[level].allows}.`)
  .join(' ');
