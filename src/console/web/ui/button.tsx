import { type ComponentProps, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { t } from '../texts/text.ts';
import { Icon, type IconName } from './icon.tsx';

export type ButtonKind = 'plain' | 'primary' | 'quiet' | 'danger';

type LabelProps = {
  icon?: IconName | undefined;
  children: ReactNode;
  /** What the button acts on, for screen readers: each of several "Rename" buttons names its row. */
  subject?: string | undefined;
};

const Label = ({ icon, children, subject }: LabelProps) => (
  <>
    {icon && <Icon name={icon} />}
    {/* The spaces separate the words in the name of the button. */}
    {icon && ' '}
    {children}
    {subject && <span className="sr-only"> {subject}</span>}
  </>
);

type ButtonProps = ComponentProps<'button'> &
  LabelProps & {
    kind?: ButtonKind;
    /** The action is running: the button is disabled and marked as busy. */
    busy?: boolean | undefined;
  };

export function Button({
  kind = 'plain',
  busy = false,
  className = '',
  disabled,
  icon,
  subject,
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
      <Label icon={icon} subject={subject}>
        {children}
      </Label>
    </button>
  );
}

/** A button that shows only an icon; its name is for screen readers. */
export const IconButton = ({
  icon,
  label,
  ...rest
}: { icon: IconName; label: string } & Omit<ButtonProps, 'children'>) => (
  <Button kind="quiet" {...rest}>
    <Icon name={icon} />
    <span className="sr-only">{label}</span>
  </Button>
);

/** A link to another page of the console that looks like a button. */
export const LinkButton = ({
  href,
  kind = 'plain',
  ...label
}: LabelProps & { href: string; kind?: ButtonKind }) => (
  <Link href={href} className={`button button-${kind}`}>
    <Label {...label} />
  </Link>
);

/**
 * Copies a text to the clipboard. When the browser refuses that, the button tells the person to
 * copy the text by hand.
 */
export function CopyButton({
  text,
  label = t('ui.copy'),
}: {
  text: string;
  label?: string | undefined;
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    setState(
      await navigator.clipboard.writeText(text).then(
        () => 'copied' as const,
        () => 'failed' as const,
      ),
    );
    setTimeout(() => setState('idle'), 2_000);
  };
  return (
    <Button icon={state === 'copied' ? 'check' : 'copy'} onClick={copy}>
      <span aria-live="polite">
        {state === 'idle' ? label : state === 'copied' ? t('ui.copied') : t('ui.copyByHand')}
      </span>
    </Button>
  );
}
