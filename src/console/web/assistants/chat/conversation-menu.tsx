import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
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
  { format: 'markdown', label: 'Export as text' },
  { format: 'json', label: 'Export as JSON' },
] as const;

/** What can be done with the open conversation: share it, and export it. */
export function ConversationMenu({ conversation }: ConversationProps) {
  const [isSharing, setSharing] = useState(false);
  const { organization } = useViewer();
  return (
    <div className="row">
      <Button icon="share" kind="quiet" onClick={() => setSharing(true)}>
        Share
      </Button>
      <Menu label="Export the conversation" icon="download">
        {(close) =>
          exportFormats.map(({ format, label }) => (
            <a
              key={format}
              className="menu-item"
              href={`/files/conversations/${conversation.id}?format=${format}&organization=${organization?.id}`}
              download
              onClick={close}
            >
              <Icon name="download" /> {label}
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
    success: 'The link was removed.',
  });
  const createLink = async () =>
    setUrl((await share.run({ conversationId: id }))?.shareConversation.url);
  const removeLink = async () => {
    if (await unshare.run({ conversationId: id })) onClose();
  };
  return (
    <Dialog title="Share the conversation" open onClose={onClose}>
      <FaultNote fault={share.fault ?? unshare.fault} />
      <p>
        Members of your organization who have the link read the questions and answers up to now,
        without the texts of files. What is added later is not shown.
      </p>
      {url === undefined ? (
        sharedAt !== null && (
          <p>
            A link was created on <Time at={sharedAt} style="moment" />. A new one replaces it.
          </p>
        )
      ) : (
        <CopyBox label="Link" text={url} copyLabel="Copy link" />
      )}
      <FormButtons>
        {sharedAt !== null && (
          <Button kind="danger" busy={unshare.busy} onClick={removeLink}>
            Remove the link
          </Button>
        )}
        {url === undefined ? (
          <Button kind="primary" busy={share.busy} onClick={createLink}>
            {sharedAt === null ? 'Create link' : 'Replace the link'}
          </Button>
        ) : (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        )}
      </FormButtons>
    </Dialog>
  );
}
