import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/auth-api.ts';
import { t } from '../texts/text.ts';
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
        <PageHead title={t('auth.secondStep')} />
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
        title={usesApp ? t('auth.enterAppCode') : t('auth.enterRecoveryCode')}
        lead={usesApp ? t('auth.appCodeHint') : t('auth.recoveryCodeHint')}
      />
      <Form
        key={`form-${usesApp}`}
        label={t('auth.secondStep')}
        onSubmit={submit}
        action={{ busy, fault: isWrong ? undefined : fault }}
        submit={t('auth.signIn')}
        buttons={
          hasApp && (
            <Button kind="quiet" onClick={() => setUsesApp(!usesApp)}>
              {usesApp ? t('auth.useRecoveryCode') : t('auth.useApp')}
            </Button>
          )
        }
      >
        <TextField
          label={usesApp ? t('auth.code') : t('auth.recoveryCode')}
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
    title={t('auth.signInAgain')}
    lead={message}
    href={next === '/' ? '~/auth' : `~/auth?${new URLSearchParams({ next })}`}
    label={t('auth.signIn')}
  />
);
