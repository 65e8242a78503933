import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { insideSentence } from '../texts/format.ts';
import { t } from '../texts/text.ts';
import { Button } from './button.tsx';

type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined };
type FieldAttributes = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

/**
 * The label, hint and error message of an input. `children` receives the attributes that connect
 * the input to them.
 */
function Field({
  label,
  hint,
  error,
  required,
  children,
}: FieldProps & {
  required?: boolean | undefined;
  children: (attributes: FieldAttributes) => ReactNode;
}) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required === false && <span className="quiet"> {t('ui.optional')}</span>}
      </label>
      {children({
        id,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="hint fault" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

type InputProps = FieldProps &
  ComponentProps<'input'> & { onText?: ((text: string) => void) | undefined };

export const TextField = ({ label, hint, error, onText, ...rest }: InputProps) => (
  <Field label={label} hint={hint} error={error} required={rest.required}>
    {(attributes) => (
      <input
        type="text"
        {...(onText ? { onChange: ({ target }) => onText(target.value) } : {})}
        {...rest}
        {...attributes}
      />
    )}
  </Field>
);

/** The name of a thing that a person creates or renames. */
export const NameField = (props: Omit<InputProps, 'label'>) => (
  <TextField
    label={t('ui.name')}
    name="name"
    required
    maxLength={200}
    autoComplete="off"
    {...props}
  />
);

/** A whole number from 1, by default without another limit than that of the database. */
export const NumberField = (props: InputProps) => (
  <TextField type="number" min={1} max={2_147_483_647} step={1} required={false} {...props} />
);

/** A date with a time. Without a limit browsers accept years up to 275760, and the API up to 9999. */
export const DateTimeField = (props: InputProps) => (
  <TextField type="datetime-local" max="9999-12-31T23:59" {...props} />
);

export const TextArea = ({
  label,
  hint,
  error,
  ...rest
}: FieldProps & ComponentProps<'textarea'>) => (
  <Field label={label} hint={hint} error={error} required={rest.required}>
    {(attributes) => <textarea rows={4} {...rest} {...attributes} />}
  </Field>
);

type OptionsProps = { options: readonly { value: string; label: string }[] };

export const Options = ({ options }: OptionsProps) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

type SelectFieldProps = FieldProps &
  ComponentProps<'select'> &
  OptionsProps & {
    onValue?: (value: string) => void;
  };

export const SelectField = ({
  label,
  hint,
  error,
  options,
  onValue,
  ...rest
}: SelectFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(attributes) => (
      <select
        {...(onValue ? { onChange: ({ target }) => onValue(target.value) } : {})}
        {...rest}
        {...attributes}
      >
        <Options options={options} />
      </select>
    )}
  </Field>
);

export function CheckField({
  label,
  hint,
  ...rest
}: { label: string; hint?: string } & Omit<ComponentProps<'input'>, 'type'>) {
  const id = useId();
  return (
    <div className="field choice">
      <input
        type="checkbox"
        {...rest}
        id={id}
        {...(hint ? { 'aria-describedby': `${id}-hint` } : {})}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function PasswordField({
  label,
  hint,
  error,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} required={rest.required}>
      {(attributes) => (
        <span className="with-button">
          <input
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...attributes}
          />
          <Button
            kind="quiet"
            aria-label={t(isShown ? 'ui.hideField' : 'ui.showField', {
              field: insideSentence(label),
            })}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t('ui.hide') : t('ui.show')}
          </Button>
        </span>
      )}
    </Field>
  );
}

// Longer than the pause between two keys, and short enough to feel immediate.
const debounceMs = 300;

/** Searches when the person pauses typing. The field follows a value that changes by navigation. */
export function SearchField({
  label,
  placeholder,
  value = '',
  onSearch,
}: {
  label: string;
  placeholder?: string;
  value?: string;
  onSearch: (text: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Text that the person is still typing is not overwritten.
    if (input.current && timer.current === undefined && input.current.value.trim() !== value)
      input.current.value = value;
  }, [value]);
  const search = (text: string) => {
    timer.current = undefined;
    onSearch(text.trim());
  };
  return (
    <TextField
      ref={input}
      label={label}
      placeholder={placeholder}
      type="search"
      autoComplete="off"
      maxLength={200}
      defaultValue={value}
      onText={(text) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => search(text), debounceMs);
      }}
    />
  );
}

/**
 * A button that opens the browser's file dialog. Dropped files reach the page by
 * `useDroppedFiles`.
 */
export function FilePicker({
  label,
  multiple = false,
  isFolder = false,
  onFiles,
  ...button
}: {
  /** The name of the file input; hidden, but tests and assistive tools can find it. */
  label?: string;
  multiple?: boolean;
  /** Chooses a folder, with all files in it. Browsers of phones cannot do that. */
  isFolder?: boolean;
  onFiles: (files: File[]) => void;
} & Omit<ComponentProps<typeof Button>, 'onClick'>) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        multiple={multiple}
        {...(isFolder && { webkitdirectory: '' })}
        aria-label={label}
        onChange={({ target }) => onFiles([...(target.files ?? [])])}
        onClick={({ currentTarget }) => {
          // Without the reset, choosing the same file again would not fire a change event.
          currentTarget.value = '';
        }}
      />
      <Button {...button} onClick={() => picker.current?.click()} />
    </>
  );
}
