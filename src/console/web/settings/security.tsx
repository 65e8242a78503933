import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../graph/use-graph.ts';
import { useAuthCall } from '../session/auth-api.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { useViewer } from '../session/session.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { CheckField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { Card, PageHead } from '../ui/page.tsx';
import { Badge, FaultNote, Loaded, Notice } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';
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
      <PageHead title="Security" lead="How you sign in, and where you are signed in." />
      {lacksSecondFactor && (
        <Notice tone="bad">
          <p>
            <strong>A second factor is required here.</strong> Your organization or your role as
            platform support requires one. Set up an authenticator app or a passkey below to
            continue. If you belong to other organizations, you can choose one at the top.
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
      endedSessions > 0
        ? 'Your password was changed, and all other devices were signed out'
        : 'Your password was changed',
  });
  const [changeCount, setChangeCount] = useState(0);
  const forgotPath = `~/auth/forgot?${new URLSearchParams({ email, next: '/settings/security' })}`;
  if (viewer?.person?.hasPassword === false) {
    return (
      <Card title="Password">
        <p>You sign in with another site and have no password here.</p>
        {mail && <Link href={forgotPath}>Choose a password by e-mail</Link>}
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
    <Card title="Password">
      <Form
        key={changeCount}
        label="Change your password"
        onSubmit={save}
        action={{ busy, fault: isWrong || isEasyToGuess ? undefined : fault }}
        submit="Change password"
        buttons={
          mail && (
            <LinkButton href={forgotPath} kind="quiet">
              Forgot your password?
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
          label="Current password"
          name="currentPassword"
          error={isWrong ? fault.message : undefined}
        />
        <PasswordEntry
          label="New password"
          name="newPassword"
          isNew
          error={isEasyToGuess ? fault.message : undefined}
        />
        <CheckField
          name="signOutElsewhere"
          label="Sign out everywhere else"
          hint="This also signs out anybody who knew the old password."
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
      toast.show('We sent a link to your e-mail address');
  };
  return (
    <Card title="E-mail address">
      <p>
        {email} {isConfirmed ? <Badge tone="good">Confirmed</Badge> : <Badge>Not confirmed</Badge>}
      </p>
      {!isConfirmed && mail && (
        <>
          <p className="quiet">
            A link in an e-mail confirms that the address is yours. After that you can also sign in
            with other sites.
          </p>
          <FaultNote fault={fault} />
          <Button busy={busy} onClick={send}>
            Send link
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
    success: 'All other devices were signed out',
  });
  const toast = useToast();
  const signOutOthers = sessions.length > 1 && (
    <ConfirmButton
      label="Sign out everywhere else"
      title="Sign out everywhere else?"
      question="All other browsers and devices must sign in again."
      confirmLabel="Sign out"
      onConfirm={() => revokeOthers.run({})}
    />
  );
  return (
    <Card title="Sessions" actions={signOutOthers}>
      <FaultNote fault={revokeOne.fault ?? revokeOthers.fault} />
      <Table
        caption="Sessions"
        rows={sessions}
        columns={[
          { title: 'Device', cell: ({ device }) => device },
          { title: 'Network address', cell: ({ address }) => address ?? 'unknown' },
          { title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} style="moment" /> },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} style="ago" /> },
          {
            title: 'Sign out',
            align: 'end',
            cell: ({ id, device, isCurrent }) =>
              isCurrent ? (
                <Badge tone="good">This browser</Badge>
              ) : (
                <Button
                  kind="quiet"
                  subject={device}
                  busy={revokeOne.busy}
                  onClick={async () =>
                    (await revokeOne.run({ id })) && toast.show(`${device} was signed out`)
                  }
                >
                  Sign out
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}
