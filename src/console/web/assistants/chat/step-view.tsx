import type { PlainKey } from '../../texts/catalogue.ts';
import { t } from '../../texts/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { parsePassages } from './parse-passages.ts';
import type { ToolStep, TurnStep } from './turn.ts';

/** A reasoning step or a tool call, collapsed by default. */
export function StepView({
  step,
  isLast,
  isRunning,
}: {
  step: Exclude<TurnStep, { type: 'text' }>;
  isLast: boolean;
  isRunning: boolean;
}) {
  if (step.type === 'tool') return <ToolView step={step} isRunning={isRunning} />;
  return (
    <details className="assistants-step">
      <summary>
        <Icon name="sparkle" /> {isRunning && isLast ? t('chat.thinking') : t('chat.reasoning')}
      </summary>
      <div className="assistants-plain">{step.text}</div>
    </details>
  );
}

const toolLabels: Record<string, { running: PlainKey; done: PlainKey }> = {
  search_knowledge: { running: 'chat.searchingFiles', done: 'chat.searchedFiles' },
  calculate: { running: 'chat.calculating', done: 'chat.calculated' },
  current_time: { running: 'chat.checkingTime', done: 'chat.checkedTime' },
};

function toolTexts(name: string): { running: string; done: string } {
  const labels = toolLabels[name];
  return labels
    ? { running: t(labels.running), done: t(labels.done) }
    : { running: t('chat.usingTool', { name }), done: t('chat.usedTool', { name }) };
}

function ToolView({
  step: { name, input, output },
  isRunning,
}: {
  step: ToolStep;
  isRunning: boolean;
}) {
  const { running, done } = toolTexts(name);
  const isPending = output === undefined;
  const isError = output?.type === 'ERROR_TEXT';
  return (
    <details className="assistants-step">
      <summary>
        <Icon name={name === 'search_knowledge' ? 'search' : 'settings'} />{' '}
        {isPending && isRunning ? running : isError ? t('chat.toolFailed', { done }) : done}
        {name === 'search_knowledge' && output?.type === 'TEXT' && (
          <span className="hint">{` · ${foundText(output.value)}`}</span>
        )}
      </summary>
      <p className="assistants-label">{t('chat.input')}</p>
      <pre>{formatValue(input)}</pre>
      {!isPending && (
        <>
          <p className="assistants-label">{isError ? t('chat.error') : t('chat.result')}</p>
          <Output text={output.value.trim()} />
        </>
      )}
    </details>
  );
}

/** How much a search has found, such as "2 files, 8 passages". */
function foundText(text: string): string {
  const passages = parsePassages(text);
  const files = new Set(passages.map(({ file }) => file)).size;
  return t('chat.found', { files, passages: passages.length });
}

function Output({ text }: { text: string }) {
  const passages = parsePassages(text);
  if (passages.length === 0) return <pre>{text}</pre>;
  return (
    <ol className="assistants-passages plain-list">
      {passages.map((passage) => (
        <li key={passage.number}>
          <p className="hint">
            <span className="assistants-number">{passage.number}</span> {passage.source}
          </p>
          <p className="assistants-plain">{passage.text}</p>
        </li>
      ))}
    </ol>
  );
}

/** Formats a value for people: `{query: 'holidays'}` becomes "query: holidays". */
function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value, null, 2) ?? '';
  return Object.entries(value)
    .map(
      ([name, part]) =>
        `${name}: ${typeof part === 'string' ? part : JSON.stringify(part, null, 2)}`,
    )
    .join('\n');
}
