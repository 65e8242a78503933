import { t } from '../texts/text.ts';
import { TextField } from '../ui/fields.tsx';

type FieldTexts = Readonly<Record<string, string>>;

export function NameFields({
  typed,
  faults,
  needsLastName = false,
}: {
  typed: FieldTexts;
  faults: FieldTexts | undefined;
  needsLastName?: boolean;
}) {
  return (
    <div className="field-grid">
      <TextField
        label={t('auth.firstName')}
        name="firstName"
        autoComplete="given-name"
        required
        maxLength={200}
        defaultValue={typed['firstName']}
        error={faults?.['firstName']}
      />
      <TextField
        label={t('auth.lastName')}
        name="lastName"
        autoComplete="family-name"
        required={needsLastName}
        maxLength={200}
        defaultValue={typed['lastName']}
        error={faults?.['lastName']}
      />
    </div>
  );
}

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
      label={t('auth.emailAddress')}
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
