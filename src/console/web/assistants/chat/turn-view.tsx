import { memo } from 'react';
import { Button, CopyButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { AnswerText, formatCitation } from './answer-text.tsx';
import { answerTextOf, type ChatTurn, type Citation } from './conversation.ts';
import { StepView } from './step-view.tsx';
import './answer.css';

type TurnViewProps = {
  turn: ChatTurn;
  name: string;
  isLast: boolean;
  onCite: (citation: Citation) => void;
  onRetry: () => void;
};

const noCitations: readonly Citation[] = [];

/**
 * A question and its answer. Memoized, so that finished turns do not re-render while the next one
 * is written.
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
  const citations = result?.citationDetails ?? noCitations;
  return (
    <li>
      <article className="assistants-question" aria-label="You">
        <p className="assistants-plain">{question}</p>
        {fileName && (
          <p className="hint">
            <Icon name="file" /> {fileName}
          </p>
        )}
      </article>
      <article aria-label={name} aria-busy={isRunning || undefined}>
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
        <FaultNote fault={fault} />
        {citations.length > 0 && <Sources citations={citations} onCite={onCite} />}
        {!isRunning && <TurnFooter turn={turn} isLast={isLast} onRetry={onRetry} />}
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
      <ul className="row plain-list">
        {citations.map((citation) => (
          <li key={citation.marker}>
            <Button kind="quiet" onClick={() => onCite(citation)}>
              <span className="assistants-number">{citation.marker}</span>
              {formatCitation(citation)}
            </Button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function TurnFooter({
  turn,
  isLast,
  onRetry,
}: {
  turn: ChatTurn;
  isLast: boolean;
  onRetry: () => void;
}) {
  const { state, result } = turn;
  const text = answerTextOf(turn);
  const { promptTokens = 0, completionTokens = 0 } = result?.usage ?? {};
  return (
    <footer className="assistants-foot row">
      {text !== '' && <CopyButton text={text} label="Copy answer" />}
      {isLast && state !== 'done' && (
        <Button icon="refresh" onClick={onRetry}>
          Ask again
        </Button>
      )}
      {result && (
        <span className="hint">
          {result.model}
          {promptTokens + completionTokens > 0 &&
            ` · ${promptTokens.toLocaleString()} tokens in, ${completionTokens.toLocaleString()} out`}
        </span>
      )}
    </footer>
  );
}
