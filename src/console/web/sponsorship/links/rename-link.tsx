import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UpdateLinkDocument } from '../documents.ts';
import { readText } from '../form-values.ts';
import type { LinkRow } from './link-row.ts';

export function RenameLink({ link: { id, name } }: { link: LinkRow }) {
  const [isOpen, setOpen] = useState(false);
  const { run, busy, fault, clear } = useGraphMutation(UpdateLinkDocument);
  const close = () => {
    clear();
    setOpen(false);
  };
  const rename = async (data: FormData) => {
    if (await run({ linkId: id, name: readText(data, 'name') ?? '' })) close();
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        Rename<span className="sr-only"> {name}</span>
      </Button>
      <Dialog title="Rename link" open={isOpen} onClose={close}>
        <Form onSubmit={rename} fault={fault} label="Rename link">
          <TextField label="Name" name="name" required maxLength={200} defaultValue={name} />
          <FormButtons>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Rename
            </Button>
          </FormButtons>
        </Form>
      </Dialog>
    </>
  );
}
