import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../graph/use-graph.ts';
import { useAuthCall } from '../session/auth-api.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { useViewer } from '../session/session.tsx';
import { richText, t } from '../texts/text.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { CheckField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { Card, PageHead } from '../ui/page.tsx';
import { Badge, FaultNote, Loaded, Notice } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';
import { deviceText } from './device-text.ts';
import {
  ChangePasswordDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  SecurityDocument,
  type SecurityQuery,
} from './documents.ts';
import { SecondFactorCard } from './second-factor/second-factor-card.tsx';

const invalidates = ['Session'];

/** The security settings of a person: password, second factor, confirmed address, and sessions. */
export function Security() {
  const answer = useGraphQuery(SecurityDocument, {}, { typenames: invalidates });
  const { lacksSecondFactor } = useViewer();
  return (
    <>
      <PageHead title={t('security.security')} lead={t('security.securityLead')} />
      {lacksSecondFactor && (
        <Notice tone="bad">
          <p>
            {richText('security.secondFactorRequired', { b: (text) => <strong>{text}</strong> })}
          </p>
        </Notice>
      )}
      <Loaded answer={answer} lines={8}>
        {(data) => (
          <>
            <Password {...data} />
            <SecondFactorCard />
            <EmailAddress {...data} />
            <Sessions {...data} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Password({ viewer, signInOptions: { mail } }: SecurityQuery) {
  const { email } = useViewer().person;
  const { run, busy, fault } = useGraphMutation(ChangePasswordDocument, {
    invalidates,
    success: ({ changePassword: { endedSessions } }) =>
      endedSessions > 0 ? t('security.passwordChangedSignedOut') : t('security.passwordChanged'),
  });
  const [changeCount, setChangeCount] = useState(0);
  const forgotPath = `~/auth/forgot?${new URLSearchParams({ email, next: '/settings/security' })}`;
  if (viewer?.person?.hasPassword === false) {
    return (
      <Card title={t('security.password')}>
        <p>{t('security.noPassword')}</p>
        {mail && <Link href={forgotPath}>{t('security.choosePassword')}</Link>}
      </Card>
    );
  }

  const save = async (data: FormData) => {
    const result = await run({
      currentPassword: String(data.get('currentPassword')),
      newPassword: String(data.get('newPassword')),
      signOutElsewhere: data.has('signOutElsewhere'),
    });
    // A new key renders a new form, so that no password stays in the page.
    if (result) setChangeCount(changeCount + 1);
  };
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  const isEasyToGuess = fault?.reason === 'PASSWORD_EASY_TO_GUESS';
  return (
    <Card title={t('security.password')}>
      <Form
        key={changeCount}
        label={t('security.changeYourPassword')}
        onSubmit={save}
        action={{ busy, fault: isWrong || isEasyToGuess ? undefined : fault }}
        submit={t('security.changePassword')}
        buttons={
          mail && (
            <LinkButton href={forgotPath} kind="quiet">
              {t('security.forgotPassword')}
            </LinkButton>
          )
        }
        className="settings-form"
      >
        {/* Password managers store a password together with a user name. */}
        <span className="sr-only" aria-hidden="true">
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={email}
            readOnly
            tabIndex={-1}
          />
        </span>
        <PasswordEntry
          label={t('security.currentPassword')}
          name="currentPassword"
          error={isWrong ? fault.message : undefined}
        />
        <PasswordEntry
          label={t('security.newPassword')}
          name="newPassword"
          isNew
          error={isEasyToGuess ? fault.message : undefined}
        />
        <CheckField
          name="signOutElsewhere"
          label={t('security.signOutElsewhere')}
          hint={t('security.signOutElsewhereHint')}
          defaultChecked
        />
      </Form>
    </Card>
  );
}

function EmailAddress({ viewer, signInOptions: { mail } }: SecurityQuery) {
  const { email } = useViewer().person;
  const isConfirmed = viewer?.person?.emailVerified ?? false;
  const { run, busy, fault } = useAuthCall('send-verification-email');
  const toast = useToast();
  const send = async () => {
    if (await run({ email, callbackPath: '/settings/security' }))
      toast.show(t('security.linkSent'));
  };
  return (
    <Card title={t('security.emailAddress')}>
      <p>
        {email}{' '}
        {isConfirmed ? (
          <Badge tone="good">{t('security.confirmed')}</Badge>
        ) : (
          <Badge>{t('security.notConfirmed')}</Badge>
        )}
      </p>
      {!isConfirmed && mail && (
        <>
          <p className="quiet">{t('security.confirmHint')}</p>
          <FaultNote fault={fault} />
          <Button busy={busy} onClick={send}>
            {t('security.sendLink')}
          </Button>
        </>
      )}
    </Card>
  );
}

function Sessions({ sessions }: SecurityQuery) {
  const revokeOne = useGraphMutation(RevokeSessionDocument, { invalidates });
  const revokeOthers = useGraphMutation(RevokeOtherSessionsDocument, {
    invalidates,
    success: t('security.othersSignedOut'),
  });
  const toast = useToast();
  const signOutOthers = sessions.length > 1 && (
    <ConfirmButton
      label={t('security.signOutElsewhere')}
      title={t('security.signOutElsewhereQuestion')}
      question={t('security.signInAgainElsewhere')}
      confirmLabel={t('security.signOut')}
      onConfirm={() => revokeOthers.run({})}
    />
  );
  return (
    <Card title={t('security.sessions')} actions={signOutOthers}>
      <FaultNote fault={revokeOne.fault ?? revokeOthers.fault} />
      <Table
        caption={t('security.sessions')}
        rows={sessions}
        columns={[
          { title: t('security.device'), cell: ({ device }) => deviceText(device) },
          {
            title: t('security.networkAddress'),
            cell: ({ address }) => address ?? t('security.unknown'),
          },
          {
            title: t('security.signedIn'),
            cell: ({ createdAt }) => <Time at={createdAt} style="moment" />,
          },
          {
            title: t('security.lastUsed'),
            cell: ({ lastUsedAt }) => <Time at={lastUsedAt} style="ago" />,
          },
          {
            title: t('security.signOut'),
            align: 'end',
            cell: ({ id, device, isCurrent }) =>
              isCurrent ? (
                <Badge tone="good">{t('security.thisBrowser')}</Badge>
              ) : (
                <Button
                  kind="quiet"
                  subject={deviceText(device)}
                  busy={revokeOne.busy}
                  onClick={async () =>
                    (await revokeOne.run({ id })) &&
                    toast.show(t('security.deviceSignedOut', { device: deviceText(device) }))
                  }
                >
                  {t('security.signOut')}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}
