import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../graph/use-answer.ts';
import { type AuthFault, askAuth, useAuthCall } from '../session/ask-auth.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { Button } from '../ui/button.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { SignInOptionsDocument } from './documents.ts';
import { EmailField } from './email-field.tsx';
import { MailSent } from './mail-sent.tsx';
import { NameFields } from './name-fields.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButtons, ProviderFault } from './provider-buttons.tsx';
import { needsSecondStep, secondStepPath } from './second-step-path.ts';

type CredentialsProps = {
  email?: string | undefined;
  /** Where a mail or another site leads back to. */
  next: string;
  /** There is a session now. */
  onDone: () => void;
  /**
   * Awaited before anything is sent; false stops. It shows by itself why. Another site tells the
   * address only later.
   */
  before?: ((email: string | undefined) => Promise<boolean>) | undefined;
  onEmail?: (email: string) => void;
  /** What `before` has found to be wrong with the address. */
  emailError?: string | undefined;
};

const textOf = (data: FormData, name: string) => String(data.get(name) ?? '');

/**
 * Makes an account, with a session or, where addresses are confirmed first, with a mail that leads
 * to one.
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
  const [isWaiting, setWaiting] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const options = useAnswer(SignInOptionsDocument, {}).data?.signInOptions;

  const send = async (input: Readonly<Record<string, string>>) => {
    const told = await run(input);
    if (told?.['signedIn'] === true) onDone();
    else if (told) setWaiting(true);
    return told !== undefined;
  };
  const submit = async (data: FormData) => {
    const names = ['email', 'firstName', 'lastName', 'password'];
    const input = {
      ...Object.fromEntries(names.map((name) => [name, textOf(data, name)])),
      callbackPath: next,
    };
    setPerson(input);
    setHeld(true);
    const goesOn = (await before?.(textOf(data, 'email'))) ?? true;
    setHeld(false);
    if (goesOn) await send(input);
  };
  if (isWaiting) {
    return (
      <MailSent
        title="Look into your mailbox"
        sendAgain={() => send(person)}
        busy={busy}
        fault={fault}
        back={{ label: 'Use another address', onBack: () => setWaiting(false) }}
      >
        <p>
          We have sent a link to <strong>{person['email']}</strong>. It confirms your address, signs
          you in, and brings you back to where you are now. It works for a day. Open it in this
          browser; in another one it asks you for a new password.
        </p>
      </MailSent>
    );
  }
  if (options?.emailVerification && !options.mail) {
    return (
      <>
        <ProviderFault isOver={false} />
        <p>This Atrium sends no mail, so only another site can confirm your e-mail address.</p>
        <ProviderButtons
          providers={options.providers}
          next={next}
          before={before && (() => before(undefined))}
        />
      </>
    );
  }
  return (
    <Form label="Create an account" onSubmit={submit} fault={withoutFields(fault)}>
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
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy || isHeld}>
          Create an account
        </Button>
      </FormButtons>
      <ProviderButtons
        providers={options?.providers ?? []}
        next={next}
        before={before && (() => before(undefined))}
      />
    </Form>
  );
}

/** Signs somebody in who has an account. */
export function SignInForm({ email, next, onDone, before, onEmail, emailError }: CredentialsProps) {
  const { run, busy, fault } = useAuthCall('sign-in/email');
  const [sent, setSent] = useState<Readonly<Record<string, string>>>();
  const [resent, setResent] = useState<{ busy: boolean; fault: AuthFault | undefined }>({
    busy: false,
    fault: undefined,
  });
  const [isHeld, setHeld] = useState(false);
  const options = useAnswer(SignInOptionsDocument, {}).data?.signInOptions;
  const goOn = (answer: Readonly<Record<string, unknown>>) => {
    if (needsSecondStep(answer)) location.assign(secondStepPath(next));
    else onDone();
  };
  const submit = async (data: FormData) => {
    const typed = textOf(data, 'email');
    const input = { email: typed, password: textOf(data, 'password'), callbackPath: next };
    setSent(input);
    setHeld(true);
    const goesOn = (await before?.(typed)) ?? true;
    setHeld(false);
    const answer = goesOn ? await run(input) : undefined;
    if (answer) goOn(answer);
  };
  // Each sign-in with the right password sends a link that this browser can open without a new
  // password.
  const sendAgain = async (input: Readonly<Record<string, string>>) => {
    setResent({ busy: true, fault: undefined });
    const answer = await askAuth('sign-in/email', input);
    const isSent = answer.fault?.reason === 'EMAIL_NOT_VERIFIED';
    setResent({ busy: false, fault: isSent ? undefined : answer.fault });
    if (answer.data) goOn(answer.data);
    return isSent;
  };
  if (fault?.reason === 'EMAIL_NOT_VERIFIED' && sent !== undefined) {
    return (
      <MailSent
        title="Confirm your e-mail address"
        sendAgain={() => sendAgain(sent)}
        {...resent}
        back={{ label: 'Sign in', onBack: () => setSent(undefined) }}
      >
        <p>
          Your password is right. Before you can sign in, please open the link that we have sent to{' '}
          <strong>{sent['email']}</strong>. Open it in this browser; in another one it asks you for
          a new password.
        </p>
      </MailSent>
    );
  }
  return (
    <Form
      label="Sign in"
      onSubmit={submit}
      fault={sent === undefined ? undefined : withoutFields(fault)}
    >
      <ProviderFault isOver={fault !== undefined} />
      <EmailField email={email} error={emailError ?? fault?.fields?.['email']} onEmail={onEmail} />
      <PasswordEntry error={fault?.fields?.['password']} />
      <ForgotLink next={next} email={email} />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy || isHeld}>
          Sign in
        </Button>
      </FormButtons>
      <PasskeyButton onDone={onDone} before={before && (() => before(undefined))} />
      <ProviderButtons
        providers={options?.providers ?? []}
        next={next}
        before={before && (() => before(undefined))}
      />
    </Form>
  );
}

/** What is said at the fields is not said twice. */
const withoutFields = (fault: AuthFault | undefined) =>
  fault?.fields ? { ...fault, message: 'Please look at the marked fields.' } : fault;

function ForgotLink({ next, email }: { next: string; email: string | undefined }) {
  const search = new URLSearchParams({
    ...(next === '/' ? {} : { next }),
    ...(email ? { email } : {}),
  });
  return (
    <p>
      <Link href={`~/auth/forgot${search.size > 0 ? `?${search}` : ''}`}>
        Forgot your password?
      </Link>
    </p>
  );
}
