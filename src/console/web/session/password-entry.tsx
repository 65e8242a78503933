import { type KeyboardEvent, useState } from 'react';
import { PasswordField } from '../ui/password-field.tsx';
import { strengthOf } from './strength.ts';

type PasswordEntryProps = {
  label?: string;
  name?: string;
  /** A password that is chosen now, not one that is known already. */
  isNew?: boolean;
  error?: string | undefined;
};

/**
 * A password with what helps to type it: it can be shown, Caps Lock is noticed, and of a new one it
 * is said how good it is.
 */
export function PasswordEntry({
  label = 'Password',
  name = 'password',
  isNew = false,
  error,
}: PasswordEntryProps) {
  const [hasCapsLock, setCapsLock] = useState(false);
  const [typed, setTyped] = useState('');
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const hints = [
    ...(hasCapsLock ? ['Caps Lock is on.'] : []),
    ...(isNew ? [strengthOf(typed)] : []),
  ];
  return (
    <PasswordField
      label={label}
      name={name}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      {...(isNew ? { minLength: 10, maxLength: 256 } : {})}
      error={error}
      hint={hints.length > 0 && <span aria-live="polite">{hints.join(' ')}</span>}
      onKeyUp={watch}
      onKeyDown={watch}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
