import { type ReactNode, useEffect, useRef } from 'react';
import type { ApiFault } from '../graph/fault.ts';
import { Button } from '../ui/button.tsx';
import { FaultNote } from '../ui/fault-note.tsx';
import { useToast } from '../ui/toast.tsx';

type MailSentProps = {
  title: string;
  children: ReactNode;
  /** Sends the e-mail again and resolves with whether that succeeded. */
  sendAgain: () => Promise<boolean>;
  busy: boolean;
  fault: ApiFault | undefined;
  back: { label: string; onBack: () => void };
};

/** Shown after an e-mail was sent. */
export function MailSent({ title, children, sendAgain, busy, fault, back }: MailSentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const toast = useToast();
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section className="auth-sent">
      <h2 tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {children}
      {fault && <FaultNote fault={fault} />}
      <div className="form-buttons">
        <Button kind="quiet" onClick={back.onBack}>
          {back.label}
        </Button>
        <Button
          busy={busy}
          onClick={async () => (await sendAgain()) && toast('The e-mail was sent again')}
        >
          Send again
        </Button>
      </div>
    </section>
  );
}
