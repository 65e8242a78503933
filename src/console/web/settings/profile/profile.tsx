import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useSession, useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { UpdateProfileDocument } from './documents.ts';
import { MyOrganizations } from './my-organizations.tsx';
import { OwnData } from './own-data.tsx';

export function Profile() {
  const { person } = useViewer();
  const { refetch } = useSession();
  const { run, busy, fault } = useGraphMutation(UpdateProfileDocument);
  const toast = useToast();

  const save = async (data: FormData) => {
    if (
      !(await run({
        firstName: textFieldValue(data, 'firstName'),
        lastName: textFieldValue(data, 'lastName'),
      }))
    )
      return;
    refetch();
    toast('Your name was saved');
  };

  return (
    <>
      <PageHead title="Profile" lead="Organizations that you accepted see your name and address." />
      <Card title="Your name">
        <Form label="Your name" onSubmit={save} fault={fault} className="settings-form">
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
          <FormButtons>
            <Button type="submit" kind="primary" busy={busy}>
              Save
            </Button>
          </FormButtons>
        </Form>
      </Card>
      <MyOrganizations />
      <OwnData email={person.email} />
    </>
  );
}
