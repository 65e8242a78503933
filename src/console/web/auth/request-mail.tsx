import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ApiFault } from '../graph/fault.ts';
import { useAuthCall } from '../session/auth-api.ts';
import { t } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { FaultNote } from '../ui/status.tsx';
import { useToast } from '../ui/toast.tsx';
import { EmailField } from './account-fields.tsx';

type RequestMailProps = {
  call: string;
  input?: Readonly<Record<string, string>>;
  email?: string | undefined;
  label: string;
  submit: string;
  /** What the person reads after the e-mail was sent. */
  sent: (email: string) => ReactNode;
  onSent?: (isSent: boolean) => void;
  children?: ReactNode;
};

/** Asks for an address and sends an e-mail with a link to it. */
export function RequestMail({
  call,
  input,
  email = '',
  sent,
  onSent,
  children,
  ...form
}: RequestMailProps) {
  const { run, busy, fault } = useAuthCall(call);
  const [typed, setTyped] = useState(email);
  const [isSent, setIsSent] = useState(false);
  const setSent = (value: boolean) => {
    setIsSent(value);
    onSent?.(value);
  };
  const send = async () => {
    const result = await run({ email: typed, ...input });
    if (result) setSent(true);
    return result !== undefined;
  };
  if (isSent)
    return (
      <MailSent
        title={t('auth.checkInbox')}
        sendAgain={send}
        busy={busy}
        fault={fault}
        back={{ label: t('auth.useAnotherAddress'), onBack: () => setSent(false) }}
      >
        {sent(typed)}
      </MailSent>
    );
  return (
    <Form {...form} onSubmit={send} action={{ busy, fault: fault?.fields ? undefined : fault }}>
      {children}
      <EmailField email={typed} error={fault?.fields?.['email']} onEmail={setTyped} />
    </Form>
  );
}

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
    <section>
      <h2 tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {children}
      <FaultNote fault={fault} />
      <FormButtons>
        <Button kind="quiet" onClick={back.onBack}>
          {back.label}
        </Button>
        <Button
          busy={busy}
          onClick={async () => (await sendAgain()) && toast.show(t('auth.mailSentAgain'))}
        >
          {t('auth.sendAgain')}
        </Button>
      </FormButtons>
    </section>
  );
}
