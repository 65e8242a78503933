import { textFieldValue } from '../text-field-value.ts';

export const roleOptions = [
  { value: 'MEMBER', label: 'Member' },
  { value: 'ADMIN', label: 'Administrator' },
];

export const parseRole = (data: FormData): 'ADMIN' | 'MEMBER' =>
  textFieldValue(data, 'role') === 'ADMIN' ? 'ADMIN' : 'MEMBER';
