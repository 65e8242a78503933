import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { richText, t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { CopyBox } from '../../ui/one-time-secret.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import {
  type ListedConversationFragment,
  ShareConversationDocument,
  UnshareConversationDocument,
} from '../documents.ts';

type ConversationProps = { conversation: ListedConversationFragment };

const exportFormats = [
  { format: 'markdown', label: 'chat.exportText' },
  { format: 'json', label: 'chat.exportJson' },
] as const;

/** What can be done with the open conversation: share it, and export it. */
export function ConversationMenu({ conversation }: ConversationProps) {
  const [isSharing, setSharing] = useState(false);
  const { organization } = useViewer();
  return (
    <div className="row">
      <Button icon="share" kind="quiet" className="chat-action" onClick={() => setSharing(true)}>
        {t('chat.share')}
      </Button>
      <Menu label={t('chat.exportConversation')} icon="download">
        {(close) =>
          exportFormats.map(({ format, label }) => (
            <a
              key={format}
              className="menu-item"
              href={`/files/conversations/${conversation.id}?format=${format}&organization=${organization?.id}`}
              download
              onClick={close}
            >
              <Icon name="download" /> {t(label)}
            </a>
          ))
        }
      </Menu>
      {isSharing && <ShareDialog conversation={conversation} onClose={() => setSharing(false)} />}
    </div>
  );
}

function ShareDialog({ conversation, onClose }: ConversationProps & { onClose: () => void }) {
  const { id, sharedAt } = conversation;
  const [url, setUrl] = useState<string>();
  const share = useGraphMutation(ShareConversationDocument);
  const unshare = useGraphMutation(UnshareConversationDocument, {
    success: t('chat.linkRemoved'),
  });
  const createLink = async () =>
    setUrl((await share.run({ conversationId: id }))?.shareConversation.url);
  const removeLink = async () => {
    if (await unshare.run({ conversationId: id })) onClose();
  };
  return (
    <Dialog title={t('chat.shareConversation')} open onClose={onClose}>
      <FaultNote fault={share.fault ?? unshare.fault} />
      <p>{t('chat.shareHint')}</p>
      {url === undefined ? (
        sharedAt !== null && (
          <p>
            {richText('chat.linkCreatedOn', { time: () => <Time at={sharedAt} style="moment" /> })}
          </p>
        )
      ) : (
        <CopyBox label={t('chat.link')} text={url} copyLabel={t('chat.copyLink')} />
      )}
      <FormButtons>
        {sharedAt !== null && (
          <Button kind="danger" busy={unshare.busy} onClick={removeLink}>
            {t('chat.removeLink')}
          </Button>
        )}
        {url === undefined ? (
          <Button kind="primary" busy={share.busy} onClick={createLink}>
            {sharedAt === null ? t('chat.createLink') : t('chat.replaceLink')}
          </Button>
        ) : (
          <Button kind="primary" onClick={onClose}>
            {t('ui.done')}
          </Button>
        )}
      </FormButtons>
    </Dialog>
  );
}
