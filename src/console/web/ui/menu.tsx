import { type ReactNode, useId, useRef } from 'react';
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
        // The browser focuses the first item when it opens the list. `toggle` comes later, and a
        // focus then would take it from an item that the person has already moved to.
        onBeforeToggle={() =>
          list.current?.querySelector('button, a')?.toggleAttribute('autofocus', true)
        }
        onToggle={({ newState }) => {
          if (newState === 'open') place();
        }}
      >
        {children(() => list.current?.hidePopover())}
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
