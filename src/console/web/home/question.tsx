import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { storeAskedQuestion } from '../session/asked-question.ts';
import { t } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { StarterQuestions } from '../ui/starter-questions.tsx';
import type { HomeQuery } from './documents.ts';
import { favoritesFirst } from './favorites-first.ts';

type QuestionProps = {
  assistants: HomeQuery['assistants']['nodes'];
  /** The assistant of the newest conversation. */
  lastAssistantId: string | undefined;
};

/** The question to one of the assistants. Its chat opens and answers it. */
export function Question({ assistants, lastAssistantId }: QuestionProps) {
  const [chosenId, setChosenId] = useState<string>();
  const [text, setText] = useState('');
  const [, go] = useLocation();
  const isKnown = (id: string | undefined) => assistants.some((each) => each.id === id);
  const sorted = favoritesFirst(assistants);
  // At first one that the person prefers, or that has files to answer from.
  const first =
    sorted.find(({ isFavorite, fileCount = 0 }) => isFavorite || fileCount > 0) ?? sorted[0];
  const assistantId = [chosenId, lastAssistantId].find(isKnown) ?? first?.id;
  const assistant = assistants.find(({ id }) => id === assistantId);
  if (!assistant) return null;
  const ask = (question: string) => {
    if (question === '') return;
    storeAskedQuestion(assistant.id, question);
    go(`/assistants/${assistant.id}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask(text.trim());
  };
  return (
    <form
      className="home-question"
      aria-label={t('home.askAssistant')}
      onSubmit={(event) => {
        event.preventDefault();
        ask(text.trim());
      }}
    >
      <textarea
        aria-label={t('home.yourQuestion')}
        placeholder={t('home.whatToKnow')}
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="home-question-row">
        <Combobox
          label={t('home.assistant')}
          isLabelHidden
          options={sorted.map(({ id, name, isFavorite }) => ({
            ...{ value: id, label: name },
            hint: isFavorite ? t('home.favorite') : undefined,
          }))}
          value={assistant.id}
          onValue={setChosenId}
        />
        <Button type="submit" kind="primary" disabled={text.trim() === ''}>
          {t('home.ask')}
        </Button>
      </div>
      <StarterQuestions name={assistant.name} questions={assistant.starterQuestions} onAsk={ask} />
    </form>
  );
}
