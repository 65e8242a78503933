import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiFault } from '../../graph/fault.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PageHead } from '../../ui/page.tsx';
import { FaultNote, Loading } from '../../ui/status.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { Rail } from '../rail/rail.tsx';
import { AssistantPicker } from './assistant-picker.tsx';
import { Chat } from './chat.tsx';
import type { IntroducedAssistant } from './chat-introduction.tsx';
import { ConversationMenu } from './conversation-menu.tsx';
import type { ChatState } from './use-chat.ts';

type ChatPageProps = {
  assistantId: string;
  conversationId: string | undefined;
  name: string;
  assistant: IntroducedAssistant | undefined;
  /** The button that marks the assistant as a favourite. */
  favorite: ReactNode;
  /** The model that was chosen for the assistant; null: the default one. */
  model: string | null;
  tabs: ReactNode;
  fault: ApiFault | undefined;
  canAsk: boolean;
  isLoading: boolean;
  /** Called with the id of another assistant that the person has chosen. */
  onAssistant: (assistantId: string) => void;
  chat: ChatState;
};

/** The chat with the list of conversations: beside it, or in a dialog in a narrow window. */
export function ChatPage({
  assistantId,
  conversationId,
  name,
  assistant,
  favorite,
  model,
  tabs,
  fault,
  canAsk,
  isLoading,
  onAssistant,
  chat,
}: ChatPageProps) {
  const isWide = useMedia('(width >= 64rem)');
  const [isOpen, setOpen] = useState(false);
  const [, go] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list closes when a conversation is chosen
  useEffect(() => setOpen(false), [conversationId, isWide]);
  const rail = (
    <Rail
      assistantId={assistantId}
      conversationId={conversationId}
      onNew={() => {
        setOpen(false);
        if (conversationId === undefined) chat.clear();
      }}
      onDeleted={(deletedId) => {
        if (deletedId === conversationId) go('/');
      }}
    />
  );
  return (
    <div className={isWide ? 'chat-layout chat-layout-with-rail' : 'chat-layout'}>
      {isWide && <div className="chat-rail">{rail}</div>}
      <div className="chat-main">
        <div className="chat-head">
          <PageHead
            title={name}
            titleControl={
              canAsk &&
              assistant && <AssistantPicker assistant={assistant} onChosen={onAssistant} />
            }
            actions={favorite}
          />
          {tabs}
          {!isWide && (
            <Button icon="clock" kind="quiet" className="chat-action" onClick={() => setOpen(true)}>
              {t('chat.conversations')}
            </Button>
          )}
          {model !== null && <span className="hint chat-model">{model}</span>}
          {chat.conversation && <ConversationMenu conversation={chat.conversation} />}
        </div>
        <FaultNote fault={fault} />
        {isLoading ? (
          <Loading lines={6} />
        ) : (
          !fault && (
            <Chat
              assistantId={assistantId}
              name={name}
              assistant={assistant}
              canAsk={canAsk}
              chat={chat}
            />
          )
        )}
      </div>
      {isOpen && (
        <Dialog title={t('chat.conversations')} open onClose={() => setOpen(false)}>
          {rail}
        </Dialog>
      )}
    </div>
  );
}
