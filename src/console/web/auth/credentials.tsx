import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { type AuthFault, callAuth, useAuthCall } from '../session/auth-api.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { needsSecondStep, secondStepPath } from '../session/second-step-path.ts';
import { richText, t } from '../texts/text.ts';
import { Form } from '../ui/form.tsx';
import { EmailField, NameFields } from './account-fields.tsx';
import { SignInOptionsDocument } from './documents.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButtons, ProviderFault } from './provider-buttons.tsx';
import { MailSent } from './request-mail.tsx';

type CredentialsProps = {
  email?: string | undefined;
  /** The path to which an e-mail link or another site returns. */
  next: string;
  /** Called when the person is signed in. */
  onDone: () => void;
  /**
   * Runs before the form is sent; false cancels it, and `before` itself shows why. The address is
   * undefined when another site provides it later.
   */
  before?: ((email: string | undefined) => Promise<boolean>) | undefined;
  onEmail?: (email: string) => void;
  /** The error that `before` found in the address. */
  emailError?: string | undefined;
};

const textOf = (data: FormData, name: string) => String(data.get(name) ?? '');

/**
 * Creates an account. It signs in at once, or, when addresses must be confirmed, sends an e-mail
 * whose link signs in.
 */
export function SignUpForm({
  email,
  lockEmail = false,
  next,
  onDone,
  before,
  onEmail,
  emailError,
}: CredentialsProps & { lockEmail?: boolean }) {
  const { run, busy, fault } = useAuthCall('sign-up/email');
  const [person, setPerson] = useState<Readonly<Record<string, string>>>({});
  const [isMailSent, setMailSent] = useState(false);
  const { isPreparing, prepare, options, otherSites } = usePreparation({ next, before });
  const send = async (input: Readonly<Record<string, string>>) => {
    const result = await run(input);
    if (result?.['signedIn'] === true) onDone();
    else if (result) setMailSent(true);
    return result !== undefined;
  };
  const submit = async (data: FormData) => {
    const names = ['email', 'firstName', 'lastName', 'password'];
    const input = {
      ...Object.fromEntries(names.map((name) => [name, textOf(data, name)])),
      callbackPath: next,
    };
    setPerson(input);
    if (await prepare(textOf(data, 'email'))) await send(input);
  };
  if (isMailSent) {
    return (
      <MailSent
        title={t('auth.checkInbox')}
        sendAgain={() => send(person)}
        busy={busy}
        fault={fault}
        back={{ label: t('auth.useAnotherAddress'), onBack: () => setMailSent(false) }}
      >
        <p>
          {richText('auth.confirmationSent', {
            email: person['email'] ?? '',
            b: (text) => <strong>{text}</strong>,
          })}
        </p>
      </MailSent>
    );
  }
  if (options?.emailVerification && !options.mail) {
    return (
      <>
        <ProviderFault isOver={false} />
        <p>{t('auth.noMailForSignUp')}</p>
        {otherSites}
      </>
    );
  }
  return (
    <>
      <Form
        label={t('auth.createAccount')}
        onSubmit={submit}
        action={{ busy: busy || isPreparing, fault: withoutFields(fault) }}
        submit={t('auth.createAccount')}
      >
        <ProviderFault isOver={fault !== undefined} />
        {fault?.reason === 'ACCOUNT_EXISTS' && <ForgotLink next={next} email={person['email']} />}
        <NameFields typed={person} faults={fault?.fields} />
        <EmailField
          email={person['email'] ?? email}
          isLocked={lockEmail}
          error={emailError ?? fault?.fields?.['email']}
          onEmail={onEmail}
        />
        <PasswordEntry isNew error={fault?.fields?.['password']} />
      </Form>
      {otherSites}
    </>
  );
}

/** Signs in to an existing account. */
export function SignInForm({ email, next, onDone, before, onEmail, emailError }: CredentialsProps) {
  const { run, busy, fault } = useAuthCall('sign-in/email');
  const [sent, setSent] = useState<Readonly<Record<string, string>>>();
  const [resent, setResent] = useState<{ busy: boolean; fault: AuthFault | undefined }>({
    busy: false,
    fault: undefined,
  });
  const { isPreparing, prepare, beforeOther, otherSites } = usePreparation({ next, before });
  const finish = (answer: Readonly<Record<string, unknown>>) => {
    if (needsSecondStep(answer)) location.assign(secondStepPath(next));
    else onDone();
  };
  const submit = async (data: FormData) => {
    const typedEmail = textOf(data, 'email');
    const input = { email: typedEmail, password: textOf(data, 'password'), callbackPath: next };
    setSent(input);
    const answer = (await prepare(typedEmail)) ? await run(input) : undefined;
    if (answer) finish(answer);
  };
  // Each sign-in with the correct password sends a link that works in this browser without choosing
  // a new password.
  const sendAgain = async (input: Readonly<Record<string, string>>) => {
    setResent({ busy: true, fault: undefined });
    const answer = await callAuth('sign-in/email', input);
    const isSent = answer.fault?.reason === 'EMAIL_NOT_VERIFIED';
    setResent({ busy: false, fault: isSent ? undefined : answer.fault });
    if (answer.data) finish(answer.data);
    return isSent;
  };
  if (fault?.reason === 'EMAIL_NOT_VERIFIED' && sent !== undefined) {
    return (
      <MailSent
        title={t('auth.confirmEmailAddress')}
        sendAgain={() => sendAgain(sent)}
        {...resent}
        back={{ label: t('auth.signIn'), onBack: () => setSent(undefined) }}
      >
        <p>
          {richText('auth.passwordCorrect', {
            email: sent['email'] ?? '',
            b: (text) => <strong>{text}</strong>,
          })}
        </p>
      </MailSent>
    );
  }
  return (
    <>
      <Form
        label={t('auth.signIn')}
        onSubmit={submit}
        action={{
          busy: busy || isPreparing,
          fault: sent === undefined ? undefined : withoutFields(fault),
        }}
        submit={t('auth.signIn')}
      >
        <ProviderFault isOver={fault !== undefined} />
        <EmailField
          email={email}
          error={emailError ?? fault?.fields?.['email']}
          onEmail={onEmail}
        />
        <PasswordEntry error={fault?.fields?.['password']} />
        <ForgotLink next={next} email={email} />
      </Form>
      <PasskeyButton onDone={onDone} before={beforeOther} />
      {otherSites}
    </>
  );
}

/** What runs before the person is sent to the server or to another site. */
function usePreparation({ next, before }: Pick<CredentialsProps, 'next' | 'before'>) {
  const [isPreparing, setPreparing] = useState(false);
  const options = useGraphQuery(SignInOptionsDocument, {}).data?.signInOptions;
  const prepare = async (email: string): Promise<boolean> => {
    setPreparing(true);
    const mayContinue = (await before?.(email)) ?? true;
    setPreparing(false);
    return mayContinue;
  };
  const beforeOther = before && (() => before(undefined));
  const otherSites = (
    <ProviderButtons providers={options?.providers ?? []} next={next} before={beforeOther} />
  );
  return { isPreparing, prepare, options, beforeOther, otherSites };
}

/** The fields show their own messages, so the form shows only a general one. */
const withoutFields = (fault: AuthFault | undefined) =>
  fault?.fields ? { ...fault, message: t('auth.correctFields') } : fault;

function ForgotLink({ next, email }: { next: string; email: string | undefined }) {
  const search = new URLSearchParams({
    ...(next === '/' ? {} : { next }),
    ...(email ? { email } : {}),
  });
  return (
    <p>
      <Link href={`~/auth/forgot${search.size > 0 ? `?${search}` : ''}`}>
        {t('auth.forgotPassword')}
      </Link>
    </p>
  );
}
