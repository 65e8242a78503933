import { Icon } from '../../ui/icon.tsx';
import type { Step, ToolUse } from './conversation.ts';
import { parsePassages } from './parse-passages.ts';

/** What an assistant thought or looked up on the way: folded, for whoever wants to know. */
export function StepView({
  step,
  isLast,
  isRunning,
}: {
  step: Exclude<Step, { type: 'text' }>;
  isLast: boolean;
  isRunning: boolean;
}) {
  if (step.type === 'tool') return <ToolView use={step} isRunning={isRunning} />;
  return (
    <details className="assistants-step">
      <summary>
        <Icon name="sparkle" /> {isRunning && isLast ? 'Thinking…' : 'Thought about it'}
      </summary>
      <div className="assistants-plain">{step.text}</div>
    </details>
  );
}

const toolWords: Record<string, [running: string, done: string]> = {
  search_knowledge: ['Looking through the files…', 'Looked through the files'],
  calculate: ['Calculating…', 'Calculated'],
  current_time: ['Looking at the clock…', 'Looked at the clock'],
};

function ToolView({
  use: { name, input, output },
  isRunning,
}: {
  use: ToolUse;
  isRunning: boolean;
}) {
  const [running, done] = toolWords[name] ?? [`Using ${name}…`, `Used ${name}`];
  const { isFault, text } = outputIn(output);
  const isOpen = output === undefined;
  return (
    <details className="assistants-step">
      <summary>
        <Icon name={name === 'search_knowledge' ? 'search' : 'settings'} />{' '}
        {isOpen && isRunning ? running : isFault ? `${done}: it failed` : done}
      </summary>
      <p className="assistants-label">Asked for</p>
      <pre>{readable(input)}</pre>
      {!isOpen && (
        <>
          <p className="assistants-label">{isFault ? 'Refused' : 'Found'}</p>
          <Output text={text} />
        </>
      )}
    </details>
  );
}

function Output({ text }: { text: string }) {
  const passages = parsePassages(text);
  if (passages.length === 0) return <pre>{text}</pre>;
  return (
    <ol className="assistants-found">
      {passages.map((passage) => (
        <li key={passage.number}>
          <p className="hint">
            <span className="assistants-number">{passage.number}</span> {passage.place}
          </p>
          <p className="assistants-plain">{passage.text}</p>
        </li>
      ))}
    </ol>
  );
}

/** `{query: 'holidays'}` is read more easily as "query: holidays". */
function readable(value: unknown): string {
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

function outputIn(output: unknown): { isFault: boolean; text: string } {
  const { type, value }: { type?: unknown; value?: unknown } = Object(output);
  return { isFault: String(type).startsWith('error'), text: readable(value).trim() };
}
