import { type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon, type IconName } from './icon.tsx';
import './menu.css';

type MenuProps = {
  /** The name of the button that opens the menu. */
  label: string;
  icon?: IconName;
  children: (close: () => void) => ReactNode;
};

const gap = 4;

/**
 * A button with an icon that opens a short list of actions. The browser closes the list on Escape
 * and outside clicks. A dialog must not be opened inside the list, because it would be hidden with
 * it.
 */
export function Menu({ label, icon = 'more', children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  // A long list of rows has a menu in each, most of which nobody opens.
  const [wasOpened, setOpened] = useState(false);
  const prepare = ({ newState }: ToggleEvent) => {
    if (newState !== 'open') return;
    flushSync(() => setOpened(true));
    // The browser focuses this item when it opens the list. `toggle` comes later, and a focus then
    // would take it from an item that the person has already moved to.
    list.current?.querySelector('button, a')?.toggleAttribute('autofocus', true);
  };
  const place = () => {
    const { current: element } = list;
    const anchor = button.current?.getBoundingClientRect();
    if (!element || !anchor) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const isBelow = anchor.bottom + gap + height <= innerHeight;
    const top = isBelow ? anchor.bottom + gap : Math.max(gap, anchor.top - gap - height);
    const left = Math.min(Math.max(gap, anchor.right - width), innerWidth - width - gap);
    Object.assign(element.style, { top: `${top}px`, left: `${left}px` });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button button-quiet menu-button"
        popoverTarget={id}
        aria-label={label}
        title={label}
      >
        <Icon name={icon} />
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className="menu"
        onBeforeToggle={prepare}
        onToggle={({ newState }) => {
          if (newState === 'open') place();
        }}
      >
        {wasOpened && children(() => list.current?.hidePopover())}
      </div>
    </>
  );
}

/** An action of a menu. */
export const MenuItem = ({
  icon,
  onClick,
  children,
}: {
  icon: IconName;
  onClick: () => void;
  children: ReactNode;
}) => (
  <button type="button" className="menu-item" onClick={onClick}>
    <Icon name={icon} /> {children}
  </button>
);
