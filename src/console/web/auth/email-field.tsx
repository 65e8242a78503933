import { TextField } from '../ui/text-field.tsx';

type EmailFieldProps = {
  email?: string | undefined;
  isLocked?: boolean;
  hint?: string;
  error?: string | undefined;
  onEmail?: ((email: string) => void) | undefined;
};

// The type is not "email", because browsers reject some valid addresses, such as
// straße@bücher.example.
export function EmailField({ email, isLocked = false, hint, error, onEmail }: EmailFieldProps) {
  return (
    <TextField
      label="E-mail address"
      name="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      maxLength={1000}
      defaultValue={email}
      readOnly={isLocked}
      hint={hint}
      error={error}
      onChange={({ currentTarget }) => onEmail?.(currentTarget.value)}
    />
  );
}
