import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import './combobox.css';

export type ComboboxOption = { value: string; label: string; hint?: string | undefined };

type ComboboxProps = {
  label: string;
  options: readonly ComboboxOption[];
  value: string;
  onValue: (value: string) => void;
  /** Hides the label from sight; screen readers still have it. */
  isLabelHidden?: boolean;
};

// Nobody scrolls through more options than this: typing finds the others.
const shownMax = 50;

/**
 * A choice among many options, which are found by typing
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 */
export function Combobox({ label, options, value, onValue, isLabelHidden }: ComboboxProps) {
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const isOpen = typed !== undefined;
  const words = (typed ?? '').trim().toLowerCase();
  const matches = options
    .filter(({ label: text }) => text.toLowerCase().includes(words))
    .slice(0, shownMax);
  useEffect(() => {
    if (isOpen) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active]);

  const open = (text: string) => {
    setTyped(text);
    setActive(0);
  };
  const choose = (option: ComboboxOption | undefined) => {
    if (option) onValue(option.value);
    setTyped(undefined);
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

  return (
    <div className="combobox">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : undefined}>
        {label}
      </label>
      <input
        id={id}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && matches[active] ? `${id}-${active}` : undefined}
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
        {isOpen &&
          matches.map((option, index) => (
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
              {option.hint && <span className="hint">{option.hint}</span>}
            </div>
          ))}
      </div>
      <span className="sr-only" role="status">
        {isOpen && matches.length === 0 ? 'No match' : ''}
      </span>
    </div>
  );
}
