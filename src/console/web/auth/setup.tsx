import { useEffect, useState } from 'react';
import { useGraphMutation } from '../graph/use-graph.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { t } from '../texts/text.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { OneTimeSecret } from '../ui/one-time-secret.tsx';
import { PageHead } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { EmailField, NameFields } from './account-fields.tsx';
import { CompleteSetupDocument } from './documents.ts';

/** The page behind the link that the first start prints: it creates the first organization. */
export function Setup() {
  const [isInvalid, setInvalid] = useState<boolean>();
  const [key, setKey] = useState<string>();
  useEffect(() => {
    // If the check itself fails, the form is shown: the mutation checks the link again.
    void fetch(location.href, { method: 'HEAD' }).then(
      ({ status }) => setInvalid(status === 404),
      () => setInvalid(false),
    );
  }, []);
  if (key !== undefined) return <Done organizationKey={key} />;
  if (isInvalid === undefined) return <Loading lines={6} />;
  return isInvalid ? <InvalidLink /> : <SetupForm onDone={setKey} />;
}

function SetupForm({ onDone }: { onDone: (key: string) => void }) {
  const { run, busy, fault } = useGraphMutation(CompleteSetupDocument);
  const submit = async (data: FormData) => {
    const text = (name: string) => String(data.get(name));
    const result = await run({
      token: new URLSearchParams(location.search).get('token') ?? '',
      organizationName: text('organizationName'),
      firstName: text('firstName'),
      lastName: text('lastName'),
      email: text('email'),
      password: text('password'),
    });
    if (!result) return;
    // The link is used up, so it does not stay in the address.
    history.replaceState(null, '', '/setup');
    onDone(result.completeSetup.organizationKey);
  };
  return (
    <>
      <PageHead key="form" title={t('auth.setUpAtrium')} lead={t('auth.setUpLead')} />
      <Form
        label={t('auth.setUpAtrium')}
        onSubmit={submit}
        action={{ busy, fault }}
        submit={t('auth.setUp')}
      >
        <TextField
          label={t('auth.organization')}
          name="organizationName"
          autoComplete="organization"
          required
          maxLength={200}
        />
        <NameFields typed={{}} faults={undefined} needsLastName />
        <EmailField hint={t('auth.setUpEmailHint')} />
        <PasswordEntry isNew />
      </Form>
    </>
  );
}

const InvalidLink = () => (
  <>
    <PageHead key="invalid" title={t('auth.linkDoesNotWork')} lead={t('auth.setUpLinkDead')} />
    <p>{t('auth.setUpLinkHint')}</p>
  </>
);

const Done = ({ organizationKey }: { organizationKey: string }) => (
  <>
    <PageHead key="done" title={t('auth.organizationReady')} lead={t('auth.organizationKeyLead')} />
    <OneTimeSecret
      label={t('auth.key')}
      secret={organizationKey}
      onDone={() => location.replace('/auth')}
    >
      <CodeBlock
        label={t('auth.tryIt')}
        text={`curl -H 'Authorization: Bearer ${organizationKey}' ${location.origin}/api/user-management/v1/users`}
      />
    </OneTimeSecret>
  </>
);
