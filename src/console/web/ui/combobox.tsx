import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import './combobox.css';
import { t } from '../texts/text.ts';
import { containsWords } from './fold-text.ts';

export type ComboboxOption = { value: string; label: string; hint?: string | undefined };

type ComboboxProps = {
  label: string;
  options: readonly ComboboxOption[];
  value: string;
  onValue: (value: string) => void;
  /** Hides the label from sight; screen readers still have it. */
  isLabelHidden?: boolean;
  /** The name of the value in a form. */
  name?: string;
  required?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** Called when the choice opens, and when the person pauses typing, to load options that match. */
  onSearch?: (text: string) => void;
  /** Says what a text is that matches no option, if it can be chosen nevertheless. */
  otherHint?: string | ((text: string) => string | undefined) | undefined;
};

// Nobody scrolls through more options than this: typing finds the others.
const shownMax = 50;
// Longer than the pause between two keys, and short enough to feel immediate.
const debounceMs = 300;

/**
 * A choice among many options, which are found by typing
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 */
export function Combobox(props: ComboboxProps) {
  const { label, options, value, onValue, isLabelHidden, name, hint, error } = props;
  const { onSearch, otherHint, required } = props;
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const search = useDebounced(onSearch);
  const isOpen = typed !== undefined;
  const matches = isOpen ? matchingOptions(options, typed, otherHint) : [];
  useEffect(() => {
    if (isOpen) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active]);

  const open = (text: string) => {
    setTyped(text);
    setActive(0);
    search(text.trim());
  };
  const choose = (option: ComboboxOption | undefined) => {
    if (option) onValue(option.value);
    setTyped(undefined);
    // A form notices that it was changed.
    field.current?.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const move = (by: number) => {
    if (!isOpen) return open('');
    setActive((active + by + matches.length) % Math.max(1, matches.length));
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter' && isOpen) choose(matches[active]);
    else if (key === 'Escape' && isOpen) setTyped(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');

  return (
    <div className={isLabelHidden ? 'combobox' : 'combobox field'}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : undefined}>
        {label}
      </label>
      {name !== undefined && <input ref={field} type="hidden" name={name} value={value} />}
      <div className="combobox-input">
        <input
          id={id}
          role="combobox"
          autoComplete="off"
          required={required}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen && matches[active] ? `${id}-${active}` : undefined}
          {...(describedBy ? { 'aria-describedby': describedBy } : {})}
          {...(error ? { 'aria-invalid': true } : {})}
          value={typed ?? chosen?.label ?? ''}
          placeholder={chosen?.label}
          onChange={({ target }) => open(target.value)}
          onClick={() => !isOpen && open('')}
          onBlur={() => setTyped(undefined)}
          onKeyDown={onKeyDown}
        />
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          className="combobox-list"
          hidden={!isOpen}
        >
          {matches.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={option.value === value}
              className={index === active ? 'combobox-option-active' : undefined}
              // The input would lose the focus, and the list would close before the click.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              {option.label}
              {option.hint && <span className="hint"> {option.hint}</span>}
            </div>
          ))}
        </div>
      </div>
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
      <span className="sr-only" role="status">
        {isOpen && matches.length === 0 ? t('ui.noMatch') : ''}
      </span>
    </div>
  );
}

function matchingOptions(
  options: readonly ComboboxOption[],
  typed: string,
  otherHintOf: ComboboxProps['otherHint'],
): ComboboxOption[] {
  const text = typed.trim();
  const otherHint = typeof otherHintOf === 'function' ? otherHintOf(text) : otherHintOf;
  const matches = options.filter(({ label }) => containsWords(label, text)).slice(0, shownMax);
  const isOther =
    otherHint !== undefined && text !== '' && !options.some(({ value }) => value === text);
  return isOther ? [...matches, { value: text, label: text, hint: otherHint }] : matches;
}

/** Calls the function with the last text, when the person has paused typing. */
function useDebounced(call: ((text: string) => void) | undefined): (text: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useMemo(
    () => (text: string) => {
      clearTimeout(timer.current);
      // Without a text nobody is typing: the choice was opened.
      if (text === '') call?.('');
      else if (call) timer.current = setTimeout(call, debounceMs, text);
    },
    [call],
  );
}
