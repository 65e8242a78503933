import { TextField } from '../ui/text-field.tsx';

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
        required={needsLastName}
        maxLength={200}
        defaultValue={typed['lastName']}
        error={faults?.['lastName']}
      />
    </div>
  );
}
