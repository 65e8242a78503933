import { useGraphMutation } from '../../graph/use-graph.ts';
import { useSession, useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, fieldText } from '../../ui/form.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Badge, FaultNote } from '../../ui/status.tsx';
import {
  DeleteAccountDocument,
  ExportAccountDocument,
  LeaveOrganizationDocument,
  UpdateProfileDocument,
} from './documents.ts';

export function Profile() {
  const { person } = useViewer();
  return (
    <>
      <PageHead title="Profile" lead="Organizations that you accepted see your name and address." />
      <YourName />
      <YourOrganizations />
      <ExportCard />
      <DeleteCard email={person.email} />
    </>
  );
}

function YourName() {
  const { person } = useViewer();
  const { refetch } = useSession();
  const { run, busy, fault } = useGraphMutation(UpdateProfileDocument, {
    success: 'Your name was saved',
  });
  const save = async (data: FormData) => {
    const names = {
      firstName: fieldText(data, 'firstName'),
      lastName: fieldText(data, 'lastName'),
    };
    if (await run(names)) refetch();
  };
  return (
    <Card title="Your name">
      <Form
        label="Your name"
        onSubmit={save}
        action={{ busy, fault }}
        submit="Save"
        guardsChanges
        className="settings-form"
      >
        <TextField
          label="First name"
          name="firstName"
          defaultValue={person.firstName}
          autoComplete="given-name"
          maxLength={200}
        />
        <TextField
          label="Last name"
          name="lastName"
          defaultValue={person.lastName}
          autoComplete="family-name"
          maxLength={200}
        />
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          value={person.email}
          readOnly
          hint="You sign in with this address."
        />
      </Form>
    </Card>
  );
}

/** The organizations of a person, each with a button to leave it. */
function YourOrganizations() {
  const { organization: current, memberships } = useViewer();
  const { refetch, choose } = useSession();
  const { run, fault } = useGraphMutation(LeaveOrganizationDocument);
  const leave = async (id: string) => {
    if (!(await run({ organizationId: id }))) return false;
    if (id === current?.id) choose(null);
    else refetch();
    return true;
  };
  return (
    <Card title="Your organizations">
      <FaultNote fault={fault} />
      {memberships.length === 0 ? (
        <p className="quiet">
          You are not in an organization yet. An administrator can invite you, or a sponsored link
          creates one for you.
        </p>
      ) : (
        <ul className="plain-list settings-organizations">
          {memberships.map(({ organization: { id, name }, isAdmin, isAccepted }) => (
            <li key={id} className="spread">
              <span>
                {name}{' '}
                <span className="quiet">{isAdmin ? 'as an administrator' : 'as a member'}</span>{' '}
                {!isAccepted && <Badge tone="busy">Added you, not accepted</Badge>}
              </span>
              <ConfirmButton
                label="Leave"
                subject={name}
                title={`Leave ${name}?`}
                question="You lose access to everything in this organization, and your keys for it stop working. Only an administrator of the organization can bring you back."
                confirmLabel="Leave"
                done={`You left ${name}`}
                onConfirm={() => leave(id)}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Exports the data that Atrium stores about a person. */
function ExportCard() {
  const { run, busy, fault } = useGraphMutation(ExportAccountDocument);
  const save = async () => {
    const result = await run({});
    if (!result) return;
    const text = JSON.stringify(result.exportAccount.data, null, 2);
    saveFile('atrium-account.json', 'application/json', [text]);
  };
  return (
    <Card title="Your data">
      <p>
        A file with your account, your organizations, teams and keys, your sessions, and your
        changes. It contains no secrets.
      </p>
      <FaultNote fault={fault} />
      <Button icon="download" busy={busy} onClick={save}>
        Export data
      </Button>
    </Card>
  );
}

function DeleteCard({ email }: { email: string }) {
  const remove = useGraphMutation(DeleteAccountDocument);
  const submit = async (data: FormData) => {
    // The session no longer exists, so the page is loaded again.
    if (await remove.run({ email: fieldText(data, 'email') })) location.assign('/auth');
  };
  return (
    <Card title="Delete your account">
      <p>
        You lose access to every organization immediately, and your keys stop working. This cannot
        be undone.
      </p>
      <FormDialog
        kind="danger"
        label="Delete account"
        title="Delete your account?"
        formLabel="Delete your account"
        action={remove}
        onSubmit={submit}
        submit="Delete account"
        submitKind="danger"
      >
        <p>
          Organizations keep the content that you created, and their audit logs keep your actions
          without your name. A partner who sponsored a workspace for you keeps your address for
          billing.
        </p>
        <TextField
          label={`Type ${email} to confirm`}
          name="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </FormDialog>
    </Card>
  );
}
