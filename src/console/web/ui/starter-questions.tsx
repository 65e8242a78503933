import './starter-questions.css';
import { t } from '../texts/text.ts';

type StarterQuestionsProps = {
  /** The name of the assistant that is asked. */
  name: string;
  questions: readonly string[];
  onAsk: (question: string) => void;
};

/** Questions that a person can ask with one click. */
export const StarterQuestions = ({ name, questions, onAsk }: StarterQuestionsProps) =>
  questions.length > 0 && (
    <ul className="starter-questions plain-list" aria-label={t('ui.questionsFor', { name })}>
      {questions.map((question) => (
        <li key={question}>
          <button type="button" onClick={() => onAsk(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
