import {
  isTracing,
  runInSpan,
  type SpanStart,
  startSpan,
  startTrace,
} from '../../../platform/telemetry/spans.ts';
import { currentTrace } from '../../../platform/trace-context.ts';

/** A run that is not part of a request, such as a durable one, begins a trace. */
export function inRunSpan<Result>(
  model: { name: string },
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return run();
  const start: SpanStart = {
    name: 'invoke_agent',
    kind: 'internal',
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.request.model': model.name },
  };
  return runInSpan(currentTrace() ? startSpan(start) : startTrace(start), run);
}

export function inToolSpan<Result>(tool: string, run: () => Promise<Result>): Promise<Result> {
  if (!isTracing()) return run();
  const span = startSpan({
    name: `execute_tool ${tool}`,
    kind: 'internal',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
    },
  });
  return runInSpan(span, run);
}
