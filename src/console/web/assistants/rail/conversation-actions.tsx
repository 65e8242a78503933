import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, FormButtons, fieldText } from '../../ui/form.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { announceConversationChange } from '../chat/conversation-changes.ts';
import {
  DeleteConversationDocument,
  type ListedConversationFragment,
  UpdateConversationDocument,
} from '../documents.ts';

type ConversationActionsProps = {
  conversation: ListedConversationFragment;
  onDeleted: () => void;
};

export const titleOf = ({ title }: { title: string | null }): string => title ?? 'Untitled';

/** The menu of a conversation in the list. */
export function ConversationActions({ conversation, onDeleted }: ConversationActionsProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const { run: update } = useGraphMutation(UpdateConversationDocument);
  const { id, isPinned } = conversation;
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu label={`Options for ${titleOf(conversation)}`}>
        {(closeMenu) => (
          <>
            <MenuItem
              icon="edit"
              onClick={() => {
                closeMenu();
                setDialog('rename');
              }}
            >
              Rename
            </MenuItem>
            <MenuItem
              icon="pin"
              onClick={() => {
                closeMenu();
                void update({ conversationId: id, isPinned: !isPinned }).then(
                  announceConversationChange,
                );
              }}
            >
              {isPinned ? 'Unpin' : 'Pin'}
            </MenuItem>
            <MenuItem
              icon="trash"
              onClick={() => {
                closeMenu();
                setDialog('delete');
              }}
            >
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'rename' && <RenameDialog conversation={conversation} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteDialog conversation={conversation} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  );
}

type DialogProps = { conversation: ListedConversationFragment; onClose: () => void };

function RenameDialog({ conversation, onClose }: DialogProps) {
  const { run, busy, fault } = useGraphMutation(UpdateConversationDocument);
  const rename = async (data: FormData) => {
    const title = fieldText(data, 'title');
    if (!(await run({ conversationId: conversation.id, title }))) return;
    announceConversationChange();
    onClose();
  };
  return (
    <Dialog title="Rename the conversation" open onClose={onClose}>
      <Form
        label="Rename the conversation"
        onSubmit={rename}
        action={{ busy, fault }}
        submit="Rename"
        buttons={<Button onClick={onClose}>Cancel</Button>}
      >
        <TextField
          label="Title"
          name="title"
          required
          maxLength={200}
          autoComplete="off"
          defaultValue={titleOf(conversation)}
        />
      </Form>
    </Dialog>
  );
}

function DeleteDialog({
  conversation,
  onClose,
  onDeleted,
}: DialogProps & { onDeleted: () => void }) {
  const { run, busy, fault } = useGraphMutation(DeleteConversationDocument, {
    invalidates: ['Conversation'],
    success: 'The conversation was deleted.',
  });
  const remove = async () => {
    if (!(await run({ conversationId: conversation.id }))) return;
    onClose();
    onDeleted();
    announceConversationChange();
  };
  return (
    <Dialog title="Delete the conversation" open onClose={onClose}>
      <FaultNote fault={fault} />
      <p>
        “{titleOf(conversation)}” is deleted with its files, also for people who have its link. This
        cannot be undone.
      </p>
      <FormButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={busy} onClick={remove}>
          Delete
        </Button>
      </FormButtons>
    </Dialog>
  );
}
