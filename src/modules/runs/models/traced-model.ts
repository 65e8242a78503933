import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import {
  type Attributes,
  errorTypeOf,
  isTracing,
  record,
  type Span,
  startSpan,
} from '../../../platform/telemetry/spans.ts';
import { runInContext } from '../../../platform/trace-context.ts';

type Wrap = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type CallOptions = Parameters<Wrap>[0]['params'];
type CalledModel = Parameters<Wrap>[0]['model'];
type PartStream = Awaited<ReturnType<Parameters<Wrap>[0]['doStream']>>['stream'];
type ModelCall = ReturnType<typeof startCall>;
type CallResult = Pick<Awaited<ReturnType<Wrap>>, 'usage' | 'finishReason'>;

/**
 * A model whose calls have spans and measurements by the conventions of OpenTelemetry for GenAI.
 * Neither the prompt nor the answer is recorded.
 */
export const traceModel = (model: LanguageModel): LanguageModel =>
  isTracing() && typeof model !== 'string' ? wrapLanguageModel({ model, middleware }) : model;

const middleware: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  async wrapGenerate({ doGenerate, params, model }) {
    const call = startCall(model, params, false);
    try {
      const result = await call.run(doGenerate);
      call.finished(result, result.response?.modelId);
      return result;
    } catch (error) {
      call.failed(error);
      throw error;
    } finally {
      call.end();
    }
  },
  async wrapStream({ doStream, params, model }) {
    const call = startCall(model, params, true);
    try {
      const result = await call.run(doStream);
      return { ...result, stream: observe(result.stream, call) };
    } catch (error) {
      call.failed(error);
      call.end();
      throw error;
    }
  },
};

/** Passes a stream on, and ends the call with it. */
function observe(stream: PartStream, call: ModelCall): PartStream {
  const reader = stream.getReader();
  let responseModel: string | undefined;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value: part } = await reader.read();
        if (part?.type === 'response-metadata') responseModel = part.modelId;
        if (part?.type === 'finish') call.finished(part, responseModel);
        if (part?.type === 'error') call.failed(part.error);
        if (part) controller.enqueue(part);
        if (!done) return;
        call.end();
        controller.close();
      } catch (error) {
        call.failed(error);
        call.end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      call.failed(reason);
      call.end();
      await reader.cancel(reason);
    },
  });
}

function startCall(model: CalledModel, params: CallOptions, streams: boolean) {
  const startedAt = performance.now();
  const common: Attributes = {
    'gen_ai.operation.name': 'chat',
    // The SDK names the kind of the model after the provider: `default.chat`.
    'gen_ai.provider.name': model.provider.replace(/\.chat$/, ''),
    'gen_ai.request.model': model.modelId,
  };
  const { temperature, maxOutputTokens } = params;
  const span = startSpan({
    name: `chat ${model.modelId}`,
    kind: 'client',
    attributes: {
      ...common,
      ...(streams ? { 'gen_ai.request.stream': true } : {}),
      ...(temperature === undefined ? {} : { 'gen_ai.request.temperature': temperature }),
      ...(maxOutputTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxOutputTokens }),
    },
  });
  let errorType: string | undefined;
  return {
    run: <Result>(call: () => PromiseLike<Result>): PromiseLike<Result> =>
      span ? runInContext(span.context, call) : call(),
    finished: (result: CallResult, responseModel: string | undefined) =>
      recordResult(span, common, result, responseModel),
    failed(error: unknown) {
      errorType ??= errorTypeOf(error);
      span?.fail(errorType);
    },
    end() {
      span?.end();
      record('gen_ai.client.operation.duration', (performance.now() - startedAt) / 1000, {
        ...common,
        ...(errorType === undefined ? {} : { 'error.type': errorType }),
      });
    },
  };
}

function recordResult(
  span: Span | undefined,
  common: Attributes,
  { usage, finishReason }: CallResult,
  responseModel: string | undefined,
): void {
  const { total: input, cacheRead } = usage.inputTokens;
  const { total: output } = usage.outputTokens;
  span?.set({
    'gen_ai.response.finish_reasons': [finishReason.unified],
    ...(responseModel === undefined ? {} : { 'gen_ai.response.model': responseModel }),
    ...(input === undefined ? {} : { 'gen_ai.usage.input_tokens': input }),
    ...(output === undefined ? {} : { 'gen_ai.usage.output_tokens': output }),
    ...(cacheRead === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cacheRead }),
  });
  for (const [type, tokens] of [
    ['input', input],
    ['output', output],
  ] as const)
    if (tokens !== undefined)
      record('gen_ai.client.token.usage', tokens, { ...common, 'gen_ai.token.type': type });
}
