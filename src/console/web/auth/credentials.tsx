import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../graph/use-answer.ts';
import { type AuthFault, useAuthCall } from '../session/ask-auth.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { Button } from '../ui/button.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { SignInOptionsDocument } from './documents.ts';
import { EmailField } from './email-field.tsx';
import { MailSent } from './mail-sent.tsx';
import { NameFields } from './name-fields.tsx';
import { ProviderButtons, ProviderFault } from './provider-buttons.tsx';

type CredentialsProps = {
  email?: string | undefined;
  /** Where a mail or another site leads back to. */
  next: string;
  /** There is a session now. */
  onDone: () => void;
  /** Awaited before anything is sent; false stops. It shows by itself why. Another site tells the address only later. */
  before?: ((email: string | undefined) => Promise<boolean>) | undefined;
  onEmail?: (email: string) => void;
  /** What `before` has found to be wrong with the address. */
  emailError?: string | undefined;
};

const textOf = (data: FormData, name: string) => String(data.get(name) ?? '');

/** Makes an account, with a session or, where addresses are confirmed first, with a mail that leads to one. */
export function SignUpForm({ email, lockEmail = false, next, onDone, before, onEmail, emailError }: CredentialsProps & { lockEmail?: boolean }) {
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
    const input = { ...Object.fromEntries(names.map((name) => [name, textOf(data, name)])), callbackPath: next };
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
          We have sent a link to <strong>{person['email']}</strong>. It confirms your address, signs you in, and brings you back to where you are now. It works
          for a day.
        </p>
      </MailSent>
    );
  }
  return (
    <Form label="Create an account" onSubmit={submit} fault={withoutFields(fault)}>
      <ProviderFault isOver={fault !== undefined} />
      {fault?.reason === 'ACCOUNT_EXISTS' && <ForgotLink next={next} email={person['email']} />}
      <NameFields typed={person} faults={fault?.fields} />
      <EmailField email={person['email'] ?? email} isLocked={lockEmail} error={emailError ?? fault?.fields?.['email']} onEmail={onEmail} />
      <PasswordEntry isNew error={fault?.fields?.['password']} />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy || isHeld}>
          Create an account
        </Button>
      </FormButtons>
      <ProviderButtons providers={options?.providers ?? []} next={next} before={before && (() => before(undefined))} />
    </Form>
  );
}

/** Signs somebody in who has an account. */
export function SignInForm({ email, next, onDone, before, onEmail, emailError }: CredentialsProps) {
  const { run, busy, fault } = useAuthCall('sign-in/email');
  const verification = useAuthCall('send-verification-email');
  const [unverified, setUnverified] = useState<string>();
  const [isHeld, setHeld] = useState(false);
  const options = useAnswer(SignInOptionsDocument, {}).data?.signInOptions;
  const submit = async (data: FormData) => {
    const typed = textOf(data, 'email');
    setUnverified(typed);
    setHeld(true);
    const goesOn = (await before?.(typed)) ?? true;
    setHeld(false);
    if (goesOn && (await run({ email: typed, password: textOf(data, 'password'), callbackPath: next }))) onDone();
  };
  if (fault?.reason === 'EMAIL_NOT_VERIFIED' && unverified !== undefined) {
    return (
      <MailSent
        title="Confirm your e-mail address"
        sendAgain={async () => (await verification.run({ email: unverified, callbackPath: next })) !== undefined}
        busy={verification.busy}
        fault={verification.fault}
        back={{ label: 'Sign in', onBack: () => setUnverified(undefined) }}
      >
        <p>
          Your password is right. Before you can sign in, please open the link that we have sent to <strong>{unverified}</strong>.
        </p>
      </MailSent>
    );
  }
  return (
    <Form label="Sign in" onSubmit={submit} fault={unverified === undefined ? undefined : withoutFields(fault)}>
      <ProviderFault isOver={fault !== undefined} />
      <EmailField email={email} error={emailError ?? fault?.fields?.['email']} onEmail={onEmail} />
      <PasswordEntry error={fault?.fields?.['password']} />
      <ForgotLink next={next} email={email} />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy || isHeld}>
          Sign in
        </Button>
      </FormButtons>
      <ProviderButtons providers={options?.providers ?? []} next={next} before={before && (() => before(undefined))} />
    </Form>
  );
}

/** What is said at the fields is not said twice. */
const withoutFields = (fault: AuthFault | undefined) => (fault?.fields ? { ...fault, message: 'Please look at the marked fields.' } : fault);

function ForgotLink({ next, email }: { next: string; email: string | undefined }) {
  const search = new URLSearchParams({ ...(next === '/' ? {} : { next }), ...(email ? { email } : {}) });
  return (
    <p>
      <Link href={`~/auth/forgot${search.size > 0 ? `?${search}` : ''}`}>Forgot your password?</Link>
    </p>
  );
}
