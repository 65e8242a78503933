import { t } from '../../texts/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { StarterQuestions } from '../../ui/starter-questions.tsx';
import { EmptyState } from '../../ui/status.tsx';
import type { AssistantFieldsFragment } from '../documents.ts';

export type IntroducedAssistant = Pick<
  AssistantFieldsFragment,
  'id' | 'name' | 'description' | 'starterQuestions' | 'color'
>;

type ChatIntroductionProps = {
  name: string;
  /** Absent: it was deleted, or is no longer shared with the person. */
  assistant: IntroducedAssistant | undefined;
  onAsk: (question: string) => void;
};

/** An empty chat: what the assistant is for, and questions to begin with. */
export const ChatIntroduction = ({ name, assistant, onAsk }: ChatIntroductionProps) => (
  <div className="chat-introduction">
    {assistant && <Avatar {...assistant} size="large" />}
    <EmptyState title={t('chat.ask', { name })}>
      {assistant?.description || t('chat.introduction')}
    </EmptyState>
    {assistant && (
      <StarterQuestions name={name} questions={assistant.starterQuestions} onAsk={onAsk} />
    )}
  </div>
);
