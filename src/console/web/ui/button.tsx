import type { ComponentProps } from 'react';

export type ButtonKind = 'plain' | 'primary' | 'quiet' | 'danger';
type ButtonProps = ComponentProps<'button'> & {
  kind?: ButtonKind;
  /** The action is running: the button is disabled and marked as busy. */
  busy?: boolean | undefined;
};

export function Button({
  kind = 'plain',
  busy = false,
  className = '',
  disabled,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={`button button-${kind} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {children}
    </button>
  );
}
