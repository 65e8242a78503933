import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useGraphQuery } from '../graph/use-graph-query.ts';
import { useAuthCall } from '../session/auth-api.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SignInOptionsDocument } from './documents.ts';
import { EmailField } from './email-field.tsx';
import { MailSent } from './mail-sent.tsx';
import { nextPath } from './next-path.ts';

/** For people who forgot their password or never had one. */
export function Forgot() {
  const [search] = useSearchParams();
  const options = useGraphQuery(SignInOptionsDocument, {});
  return (
    <>
      <PageHead title="Choose a new password" back={{ href: '/', label: 'Sign in' }} />
      <Loaded answer={options}>
        {({ signInOptions: { mail } }) =>
          mail ? (
            <RequestLink
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
    <p>
      This server cannot send e-mail, so it cannot send you a link. Ask your administrator for help.
    </p>
    <Link href="/">Back to sign-in</Link>
  </Notice>
);

function RequestLink({ email, next }: { email: string | undefined; next: string }) {
  const { run, busy, fault } = useAuthCall('request-password-reset');
  const [typed, setTyped] = useState(email);
  const [isSent, setSent] = useState(false);
  const send = async (to: string | undefined) => {
    const result = await run({ email: to ?? '', callbackPath: next });
    if (result) setSent(true);
    return result !== undefined;
  };
  if (isSent) {
    return (
      <MailSent
        title="Check your inbox"
        sendAgain={() => send(typed)}
        busy={busy}
        fault={fault}
        back={{ label: 'Use another address', onBack: () => setSent(false) }}
      >
        <p>
          If <strong>{typed}</strong> has an account, we sent a link to choose a new password. It
          works once and is valid for one hour.
        </p>
      </MailSent>
    );
  }
  return (
    <Form
      label="Request a link"
      onSubmit={() => send(typed)}
      fault={fault?.fields ? undefined : fault}
    >
      <p>We send you a link to choose a new password.</p>
      <EmailField email={typed} error={fault?.fields?.['email']} onEmail={setTyped} />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy}>
          Send link
        </Button>
      </FormButtons>
    </Form>
  );
}
