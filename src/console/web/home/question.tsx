import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { storeAskedQuestion } from '../session/asked-question.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import type { HomeQuery } from './documents.ts';

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
  const assistantId = [chosenId, lastAssistantId].find(isKnown) ?? assistants[0]?.id;
  if (assistantId === undefined) return null;
  const ask = () => {
    if (text.trim() === '') return;
    storeAskedQuestion(assistantId, text.trim());
    go(`/assistants/${assistantId}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <form
      className="home-question"
      aria-label="Ask an assistant"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <textarea
        aria-label="Your question"
        placeholder="What would you like to know?"
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="home-question-row">
        <Combobox
          label="Assistant"
          isLabelHidden
          options={assistants.map(({ id, name }) => ({ value: id, label: name }))}
          value={assistantId}
          onValue={setChosenId}
        />
        <Button type="submit" kind="primary" disabled={text.trim() === ''}>
          Ask
        </Button>
      </div>
    </form>
  );
}
