import { memo, useEffect, useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { RunErrorDocument } from '../documents.ts';
import { AnswerText, formatCitation } from './answer-text.tsx';
import { Feedback } from './feedback.tsx';
import { faultOfRun } from './live-answer.ts';
import { type BranchStep, QuestionView } from './question-view.tsx';
import { StepView } from './step-view.tsx';
import { answerTextOf, type ChatTurn, type Citation } from './turn.ts';
import './answer.css';
import { t } from '../../texts/text.ts';

type TurnViewProps = {
  turn: ChatTurn;
  name: string;
  canAsk: boolean;
  onCite: (citation: Citation) => void;
  onAsk: (turn: ChatTurn, question: string) => void;
  onBranch: (questionId: string, step: BranchStep) => void;
};

const noCitations: readonly Citation[] = [];

/**
 * A question and its answer. Memoized, so that finished turns do not re-render while the next one
 * is written.
 */
export const TurnView = memo(function TurnView({
  turn,
  name,
  canAsk,
  onCite,
  onAsk,
  onBranch,
}: TurnViewProps) {
  const { steps, state, fault, result, runId } = turn;
  const isRunning = state === 'running';
  const citations = result?.citationDetails ?? noCitations;
  return (
    <li>
      <QuestionView turn={turn} canAsk={canAsk} onEdit={onAsk} onBranch={onBranch} />
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
        {isRunning && <Writing steps={steps} />}
        {state === 'stopped' && <p className="hint">{t('chat.stopped')}</p>}
        {state === 'failed' &&
          (fault || runId === undefined ? (
            <FaultNote fault={fault} />
          ) : (
            <StoredFault runId={runId} />
          ))}
        {citations.length > 0 && <Sources citations={citations} onCite={onCite} />}
        {!isRunning && <TurnFooter turn={turn} canAsk={canAsk} onAsk={onAsk} />}
      </article>
    </li>
  );
});

const lateMs = 8_000;

/**
 * What a run does now. A run waits and is tried again while a part of Atrium does not respond: the
 * person is told when nothing has arrived for a while.
 */
function Writing({ steps }: Pick<ChatTurn, 'steps'>) {
  const last = steps.at(-1);
  const lastSize = last?.type === 'tool' ? Number('output' in last) : (last?.text.length ?? 0);
  const arrived = `${steps.length} ${lastSize}`;
  const [late, setLate] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setLate(arrived), lateMs);
    return () => clearTimeout(timer);
  }, [arrived]);
  return (
    <>
      <p className="assistants-writing">{last ? t('chat.writing') : t('chat.waiting')}</p>
      {late === arrived && <p className="hint">{t('chat.late')}</p>}
    </>
  );
}

/** Why a stored answer failed. The reason is kept with the record of its run. */
function StoredFault({ runId }: { runId: string }) {
  const { data, fault } = useGraphQuery(RunErrorDocument, { runId });
  if (!data && !fault) return null;
  const error = data?.run.error;
  const unknown = { code: 'FAILED', message: t('chat.answerFailed') };
  return <FaultNote fault={error ? faultOfRun(error) : unknown} />;
}

function Sources({
  citations,
  onCite,
}: {
  citations: readonly Citation[];
  onCite: (citation: Citation) => void;
}) {
  return (
    <nav className="assistants-sources" aria-label={t('chat.sources')}>
      <p className="assistants-label">{t('chat.sources')}</p>
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

function TurnFooter({ turn, canAsk, onAsk }: Pick<TurnViewProps, 'turn' | 'canAsk' | 'onAsk'>) {
  const { state, result, question } = turn;
  const text = answerTextOf(turn);
  const { promptTokens = 0, completionTokens = 0 } = result?.usage ?? {};
  return (
    <footer className="assistants-foot row">
      {text !== '' && <CopyButton text={text} label={t('chat.copyAnswer')} />}
      {text !== '' && turn.answerId !== undefined && (
        <Feedback
          messageId={turn.answerId}
          given={turn.feedback ?? null}
          question={question}
          answer={text}
        />
      )}
      {canAsk && (
        <Button icon="refresh" onClick={() => onAsk(turn, question)}>
          {state === 'done' ? t('chat.retry') : t('chat.askAgain')}
        </Button>
      )}
      {result && (
        <span className="hint">
          {result.model}
          {promptTokens + completionTokens > 0 &&
            ` · ${t('chat.tokens', { promptTokens, completionTokens })}`}
        </span>
      )}
    </footer>
  );
}
