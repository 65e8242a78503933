import { useSyncExternalStore } from 'react';
import { endExpiry, sessionExpiry } from '../graph/session-expiry.ts';
import { t } from '../texts/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { useAuthCall } from './auth-api.ts';
import { PasswordEntry } from './password-entry.tsx';
import { needsSecondStep, secondStepPath } from './second-step-path.ts';
import { useViewer } from './session.tsx';

/**
 * Asks a person whose session has ended to sign in again, above the page that they were on. The page
 * then continues, and nothing that was typed is lost.
 */
export function ExpiredSession() {
  const isExpired = useSyncExternalStore(sessionExpiry.subscribe, sessionExpiry.isExpired);
  return (
    <Dialog title={t('session.signInAgain')} open={isExpired} onClose={() => endExpiry(false)}>
      {isExpired && <SignInAgain />}
    </Dialog>
  );
}

function SignInAgain() {
  const { person } = useViewer();
  const { run, busy, fault } = useAuthCall('sign-in/email');
  const page = location.pathname + location.search;
  const submit = async (data: FormData) => {
    const input = { email: person.email, password: String(data.get('password')) };
    const answer = await run({ ...input, callbackPath: page });
    if (!answer) return;
    if (needsSecondStep(answer)) location.assign(secondStepPath(page));
    else endExpiry(true);
  };
  return (
    <Form
      label={t('session.signInAgain')}
      onSubmit={submit}
      action={{ busy, fault }}
      submit={t('session.signIn')}
      buttons={
        <a className="button button-quiet" href={`/auth?next=${encodeURIComponent(page)}`}>
          {t('session.signInAnotherWay')}
        </a>
      }
    >
      <p>{t('session.sessionEnded')}</p>
      <TextField
        label={t('session.emailAddress')}
        name="email"
        type="email"
        autoComplete="username"
        value={person.email}
        readOnly
      />
      <PasswordEntry />
    </Form>
  );
}
