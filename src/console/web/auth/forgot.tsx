import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAnswer } from '../graph/use-answer.ts';
import { useAuthCall } from '../session/ask-auth.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SignInOptionsDocument } from './documents.ts';
import { EmailField } from './email-field.tsx';
import { MailSent } from './mail-sent.tsx';
import { nextPath } from './next-path.ts';

/** For who does not know the password any more, or never had one. */
export function Forgot() {
  const [search] = useSearchParams();
  const options = useAnswer(SignInOptionsDocument, {});
  return (
    <>
      <PageHead title="Choose a new password" back={{ href: '/', label: 'Sign in' }} />
      <Loaded answer={options}>
        {({ signInOptions: { mail } }) =>
          mail ? (
            <AskForLink
              email={search.get('email') ?? undefined}
              next={nextPath(search.get('next'))}
            />
          ) : (
            <NoMail />
          )
        }
      </Loaded>
    </>
  );
}

const NoMail = () => (
  <Notice>
    <p>This Atrium sends no mail, so it can not send you a link. Please ask your administrator.</p>
    <Link href="/">Back to the sign-in</Link>
  </Notice>
);

function AskForLink({ email, next }: { email: string | undefined; next: string }) {
  const { run, busy, fault } = useAuthCall('request-password-reset');
  const [typed, setTyped] = useState(email);
  const [isSent, setSent] = useState(false);
  const send = async (to: string | undefined) => {
    const told = await run({ email: to ?? '', callbackPath: next });
    if (told) setSent(true);
    return told !== undefined;
  };
  if (isSent) {
    return (
      <MailSent
        title="Look into your mailbox"
        sendAgain={() => send(typed)}
        busy={busy}
        fault={fault}
        back={{ label: 'Use another address', onBack: () => setSent(false) }}
      >
        <p>
          If there is an account for <strong>{typed}</strong>, we have sent it a link where you
          choose a new password. It works once, for an hour.
        </p>
      </MailSent>
    );
  }
  return (
    <Form
      label="Ask for a link"
      onSubmit={() => send(typed)}
      fault={fault?.fields ? undefined : fault}
    >
      <p>We send you a link where you can choose one.</p>
      <EmailField email={typed} error={fault?.fields?.['email']} onEmail={setTyped} />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy}>
          Send me a link
        </Button>
      </FormButtons>
    </Form>
  );
}
