import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../access/context.ts';
import type { ScopeMap } from '../../access/scope-map.ts';
import { requireScopes } from '../../access/scopes.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { verbatim } from './input-rules.ts';
import { payloadTypes } from './null-on-error.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;
/** Builds the fields of an input. */
export type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;
/** Builds the fields of a payload. */
export type PayloadBuilder<Payload> = PothosSchemaTypes.ObjectFieldBuilder<Types, Payload>;
type PayloadFields<Payload> = ReturnType<
  NonNullable<PothosSchemaTypes.ObjectTypeOptions<Types, Payload>['fields']>
>;

type MutationOptions<Fields extends InputFieldMap, Payload extends object> = {
  description: string;
  authScopes: ScopeMap;
  /** The fields of the input. A mutation without them has an input without fields of its own. */
  input?: (t: InputBuilder) => Fields;
  resolve: (input: InputShapeFromFields<Fields>, context: Context) => Payload | Promise<Payload>;
  /** The lists of the payload that are as long as a list of the input, for the cost. */
  resultSize?: { argument: keyof Fields & string; fields: readonly string[] };
  /** The fields of the payload, which is what `resolve` returns. */
  payload: (t: PayloadBuilder<Payload>) => PayloadFields<Payload>;
};

/** Options of the field `success`, for mutations of which REST answers it. */
export const alwaysTrue = {
  description: 'Always true, because a failure is an error.',
  resolve: () => true,
} as const;

/** The `clientMutationId` of the request, by payload. */
const clientMutationIds = new WeakMap<object, string>();

/**
 * The mutations of a request run one after another, and one before may have taken minutes. The
 * context stays the same object while nothing has changed.
 */
async function withCurrentViewer(context: Context, scopes: ScopeMap): Promise<Context> {
  const viewer = await context.currentViewer();
  if (viewer === context.viewer) return context;
  requireScopes({ viewer }, scopes);
  return { ...context, viewer };
}

/**
 * Adds a mutation. All have the same form: one argument `input` of a type of its own, and a payload
 * of a type of its own with what was changed, so that both can grow. `name` is in lower camel case.
 */
export function mutation<
  Payload extends object,
  Fields extends InputFieldMap = Record<never, never>,
>(
  name: string,
  {
    description,
    authScopes,
    input,
    resolve,
    resultSize,
    payload,
  }: MutationOptions<Fields, Payload>,
): void {
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const inputType = builder.inputType(`${typeName}Input`, {
    description: `The arguments of \`${name}\`.`,
    fields: (t) => ({
      ...input?.(t),
      clientMutationId: t.string({
        required: false,
        rule: verbatim({ max: 200 }),
        description: 'A value of the client, which the payload repeats.',
      }),
    }),
  });
  payloadTypes.add(`${typeName}Payload`);
  const payloadType = builder.objectRef<object>(`${typeName}Payload`).implement({
    description: `The result of \`${name}\`.`,
    fields: (t) => ({
      // The source of these fields is what `resolve` has returned.
      ...payload(t as PayloadBuilder<Payload>),
      clientMutationId: t.string({
        nullable: true,
        description: 'The value that the input had.',
        resolve: (result) => clientMutationIds.get(result) ?? null,
      }),
    }),
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: payloadType,
      description,
      authScopes,
      args: { input: t.arg({ type: inputType, description: 'What to change.' }) },
      ...(resultSize && {
        cost: {
          listSize: {
            slicingArguments: [`input.${resultSize.argument}`],
            sizedFields: resultSize.fields,
          },
        },
      }),
      resolve: async (_, args, context): Promise<object> => {
        const { clientMutationId, ...fields } = args.input;
        const result = await resolve(
          fields as InputShapeFromFields<Fields>,
          await withCurrentViewer(context, authScopes),
        );
        if (clientMutationId) clientMutationIds.set(result, clientMutationId);
        return result;
      },
    }),
  );
}
