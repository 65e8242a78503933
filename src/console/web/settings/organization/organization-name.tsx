import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { RenameOrganizationDocument } from './documents.ts';

export function OrganizationName({ name }: { name: string }) {
  const { run, busy, fault } = useGraphMutation(RenameOrganizationDocument);
  const toast = useToast();
  const rename = async (data: FormData) => {
    if (await run({ name: textFieldValue(data, 'name') })) toast('The organization was renamed');
  };
  return (
    <Card title="Organization name">
      <Form
        label="Rename the organization"
        onSubmit={rename}
        fault={fault}
        className="settings-form"
      >
        <TextField
          label="Name"
          name="name"
          defaultValue={name}
          required
          maxLength={80}
          autoComplete="organization"
        />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Rename
          </Button>
        </FormButtons>
      </Form>
    </Card>
  );
}
