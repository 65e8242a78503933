import { memo } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import './answer.css';
import { AnswerText, placeOf } from './answer-text.tsx';
import { type Citation, type Turn, textOf } from './conversation.ts';
import { StepView } from './step-view.tsx';

type TurnViewProps = {
  turn: Turn;
  name: string;
  isLast: boolean;
  onCite: (citation: Citation) => void;
  onRetry: () => void;
};

const none: readonly Citation[] = [];

/**
 * A question and its answer. Turns that have ended are not drawn again while the next one is
 * written.
 */
export const TurnView = memo(function TurnView({
  turn,
  name,
  isLast,
  onCite,
  onRetry,
}: TurnViewProps) {
  const { question, fileName, steps, state, fault, result } = turn;
  const isRunning = state === 'running';
  const citations = result?.citationDetails ?? none;
  return (
    <li className="assistants-turn">
      <article className="assistants-question" aria-label="You">
        <p className="assistants-plain">{question}</p>
        {fileName && (
          <p className="hint">
            <Icon name="file" /> {fileName}
          </p>
        )}
      </article>
      <article className="assistants-answer" aria-label={name} aria-busy={isRunning || undefined}>
        {steps.map((step, index) =>
          step.type === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended
            <AnswerText key={index} text={step.text} citations={citations} onCite={onCite} />
          ) : (
            <StepView
              // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended
              key={index}
              step={step}
              isLast={index === steps.length - 1}
              isRunning={isRunning}
            />
          ),
        )}
        {isRunning && (
          <p className="assistants-writing">
            {steps.length === 0 ? 'Waiting for an answer' : 'Writing'}
          </p>
        )}
        {state === 'stopped' && <p className="hint">Stopped</p>}
        {fault && <FaultNote fault={fault} />}
        {citations.length > 0 && <Sources citations={citations} onCite={onCite} />}
        {!isRunning && <Foot turn={turn} isLast={isLast} onRetry={onRetry} />}
      </article>
    </li>
  );
});

function Sources({
  citations,
  onCite,
}: {
  citations: readonly Citation[];
  onCite: (citation: Citation) => void;
}) {
  return (
    <nav className="assistants-sources" aria-label="Sources">
      <p className="assistants-label">Sources</p>
      <ul>
        {citations.map((citation) => (
          <li key={citation.marker}>
            <Button kind="quiet" onClick={() => onCite(citation)}>
              <span className="assistants-number">{citation.marker}</span>
              {placeOf(citation)}
            </Button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Foot({ turn, isLast, onRetry }: { turn: Turn; isLast: boolean; onRetry: () => void }) {
  const { state, result } = turn;
  const text = textOf(turn);
  const { promptTokens = 0, completionTokens = 0 } = result?.usage ?? {};
  return (
    <footer className="assistants-foot">
      {text !== '' && <CopyButton text={text} label="Copy answer" />}
      {isLast && state !== 'done' && (
        <Button onClick={onRetry}>
          <Icon name="refresh" /> Ask again
        </Button>
      )}
      {result && (
        <span className="hint">
          {result.model}
          {promptTokens + completionTokens > 0 &&
            ` · ${promptTokens.toLocaleString()} tokens read, ${completionTokens.toLocaleString()} written`}
        </span>
      )}
    </footer>
  );
}
