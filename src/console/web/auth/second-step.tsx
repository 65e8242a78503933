import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/auth-api.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { PageHead } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { Message } from './message.tsx';
import { nextPath } from './next-path.ts';
import { PasskeyButton } from './passkey-button.tsx';

/** The second step of a sign-in: a code of the authenticator app, a recovery code, or a passkey. */
export function SecondStep() {
  const [search] = useSearchParams();
  const options = useAuthCall('second-factor/options');
  const [methods, setMethods] = useState<Readonly<Record<string, unknown>>>();
  const { run } = options;
  useEffect(() => {
    void run({}).then(setMethods);
  }, [run]);
  const next = nextPath(search.get('next'));
  if (options.fault) return <SignInAgain message={options.fault.message} next={next} />;
  if (!methods) {
    return (
      <>
        <PageHead title="Second step" />
        <Loading />
      </>
    );
  }
  return (
    <CodeForm
      hasApp={methods['app'] === true}
      hasPasskey={methods['passkey'] === true}
      next={next}
    />
  );
}

function CodeForm({
  hasApp,
  hasPasskey,
  next,
}: {
  hasApp: boolean;
  hasPasskey: boolean;
  next: string;
}) {
  const { run, busy, fault } = useAuthCall('second-factor/verify');
  const [usesApp, setUsesApp] = useState(hasApp);
  if (fault?.reason === 'SIGN_IN_EXPIRED')
    return <SignInAgain message={fault.message} next={next} />;
  const isWrong = fault?.reason === 'CODE_WRONG';
  const submit = async (data: FormData) => {
    if (await run({ code: String(data.get('code')) })) location.replace(next);
  };
  return (
    <>
      <PageHead
        key={String(usesApp)}
        title={usesApp ? 'Enter the code from your app' : 'Enter a recovery code'}
        lead={
          usesApp
            ? 'Open your authenticator app and enter the six digits that it shows for Atrium.'
            : 'Each of your recovery codes works once.'
        }
      />
      <Form
        key={`form-${usesApp}`}
        label="Second step"
        onSubmit={submit}
        action={{ busy, fault: isWrong ? undefined : fault }}
        submit="Sign in"
        buttons={
          hasApp && (
            <Button kind="quiet" onClick={() => setUsesApp(!usesApp)}>
              {usesApp ? 'Use a recovery code' : 'Use the app'}
            </Button>
          )
        }
      >
        <TextField
          label={usesApp ? 'Code' : 'Recovery code'}
          name="code"
          inputMode={usesApp ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          required
          maxLength={40}
          error={isWrong ? fault.message : undefined}
        />
      </Form>
      {hasPasskey && (
        <PasskeyButton kind={hasApp ? 'plain' : 'primary'} onDone={() => location.replace(next)} />
      )}
    </>
  );
}

const SignInAgain = ({ message, next }: { message: string; next: string }) => (
  <Message
    title="Sign in again"
    lead={message}
    href={next === '/' ? '~/auth' : `~/auth?${new URLSearchParams({ next })}`}
    label="Sign in"
  />
);
