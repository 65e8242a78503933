import { type KeyboardEvent, useState } from 'react';
import { t } from '../texts/text.ts';
import { PasswordField } from '../ui/fields.tsx';

type PasswordEntryProps = {
  label?: string;
  name?: string;
  /** Whether the person chooses a new password here, instead of entering the current one. */
  isNew?: boolean;
  error?: string | undefined;
};

/**
 * A password field that can show its text, warns about Caps Lock, and checks the length of a new
 * password.
 */
export function PasswordEntry({
  label = t('session.password'),
  name = 'password',
  isNew = false,
  error,
}: PasswordEntryProps) {
  const [hasCapsLock, setCapsLock] = useState(false);
  const [typed, setTyped] = useState('');
  const updateCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const hints = [
    ...(hasCapsLock ? [t('session.capsLock')] : []),
    ...(isNew ? [passwordLengthHint(typed)] : []),
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
      onKeyUp={updateCapsLock}
      onKeyDown={updateCapsLock}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}

const lengthMin = 10;
const lengthMax = 128;

/**
 * A hint about the length of a new password before it is sent. Only the server checks whether it is
 * easy to guess, so the hint never calls a password strong.
 */
function passwordLengthHint(password: string): string {
  const length = [...password].length;
  if (length === 0) return t('session.lengthAtLeast', { lengthMin });
  if (length < lengthMin)
    return t('session.lengthMissing', { missing: lengthMin - length, lengthMin });
  if (length > lengthMax) return t('session.lengthAtMost', { lengthMax });
  return t('session.lengthEnough');
}
