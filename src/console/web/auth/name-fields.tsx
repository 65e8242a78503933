import { TextField } from '../ui/text-field.tsx';

type FieldTexts = Readonly<Record<string, string>>;

export function NameFields({
  typed,
  faults,
}: {
  typed: FieldTexts;
  faults: FieldTexts | undefined;
}) {
  return (
    <div className="auth-names">
      <TextField
        label="First name"
        name="firstName"
        autoComplete="given-name"
        required
        maxLength={200}
        defaultValue={typed['firstName']}
        error={faults?.['firstName']}
      />
      <TextField
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        required={false}
        maxLength={200}
        defaultValue={typed['lastName']}
        error={faults?.['lastName']}
      />
    </div>
  );
}
