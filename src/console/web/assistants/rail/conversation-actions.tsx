import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
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

export const titleOf = ({ title }: { title: string | null }): string => title ?? t('chat.untitled');

/** The menu of a conversation in the list. */
export function ConversationActions({ conversation, onDeleted }: ConversationActionsProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const { run: update } = useGraphMutation(UpdateConversationDocument);
  const { id, isPinned } = conversation;
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu label={t('chat.optionsFor', { title: titleOf(conversation) })}>
        {(closeMenu) => (
          <>
            <MenuItem
              icon="edit"
              onClick={() => {
                closeMenu();
                setDialog('rename');
              }}
            >
              {t('chat.rename')}
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
              {isPinned ? t('chat.unpin') : t('chat.pin')}
            </MenuItem>
            <MenuItem
              icon="trash"
              onClick={() => {
                closeMenu();
                setDialog('delete');
              }}
            >
              {t('chat.delete')}
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
    <Dialog title={t('chat.renameConversation')} open onClose={onClose}>
      <Form
        label={t('chat.renameConversation')}
        onSubmit={rename}
        action={{ busy, fault }}
        submit={t('chat.rename')}
        buttons={<Button onClick={onClose}>{t('ui.cancel')}</Button>}
      >
        <TextField
          label={t('chat.title')}
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
    success: t('chat.conversationDeleted'),
  });
  const remove = async () => {
    if (!(await run({ conversationId: conversation.id }))) return;
    onClose();
    onDeleted();
    announceConversationChange();
  };
  return (
    <Dialog title={t('chat.deleteConversation')} open onClose={onClose}>
      <FaultNote fault={fault} />
      <p>{t('chat.deleteConversationHint', { title: titleOf(conversation) })}</p>
      <FormButtons>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <Button kind="danger" busy={busy} onClick={remove}>
          {t('chat.delete')}
        </Button>
      </FormButtons>
    </Dialog>
  );
}
