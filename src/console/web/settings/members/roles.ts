import { textIn } from '../text-in.ts';

export const roleOptions = [
  { value: 'MEMBER', label: 'Member' },
  { value: 'ADMIN', label: 'Administrator' },
];

export const roleIn = (data: FormData): 'ADMIN' | 'MEMBER' =>
  textIn(data, 'role') === 'ADMIN' ? 'ADMIN' : 'MEMBER';
