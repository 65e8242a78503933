import { AppError, type FieldError, InputError } from './errors.ts';

/** The outcome of one item of a bulk call: null, or the error that the single call would throw. */
export type ItemRefusal = AppError | null;

/** The error of a bulk call that changes all items or none. `errors` names every refused item. */
export class BulkError extends AppError {
  readonly errors: readonly FieldError[];

  constructor(first: AppError, message: string, errors: readonly FieldError[]) {
    super(first.code, message, first.reason, first.retryAfterSeconds);
    this.errors = errors;
  }
}

/** Throws if an item is refused: with the code of the first one, and the position of every one. */
export function requireEveryItem(refusals: readonly ItemRefusal[], list: string): void {
  const refused = refusals.flatMap((refusal, index) =>
    refusal ? [{ refusal, field: `${list}[${index}]` }] : [],
  );
  const [first] = refused;
  if (!first) return;
  throw new BulkError(
    first.refusal,
    `${first.field}: ${first.refusal.message}; nothing was changed`,
    refused.flatMap(({ refusal, field }) => faultsOf(refusal, field)),
  );
}

const faultsOf = (refusal: AppError, item: string): FieldError[] =>
  refusal instanceof InputError
    ? refusal.errors.map(({ field, ...fault }) => ({ ...fault, field: `${item}.${field}` }))
    : [{ field: item, code: 'INVALID', message: refusal.message }];

type ItemRules<Item> = {
  list: string;
  itemsMax: number;
  /** The field that must differ between the items. */
  idField: keyof Item & string;
  /** Fields that may be omitted but must not be null. */
  neverNull?: readonly (keyof Item & string)[];
};

/** Throws an error that names what is wrong with the list of a bulk call. */
export function requireItems<Item>(
  items: readonly Item[],
  { list, itemsMax, idField, neverNull = [] }: ItemRules<Item>,
): void {
  const expectation = `${list} must be a list of 1 to ${itemsMax} items`;
  const lengthFault = (code: 'TOO_SHORT' | 'TOO_LONG'): never => {
    throw new InputError([
      { field: list, code, message: `${expectation}, but has ${items.length}` },
    ]);
  };
  if (items.length === 0) lengthFault('TOO_SHORT');
  if (items.length > itemsMax) lengthFault('TOO_LONG');
  const positions = new Map<unknown, number>();
  const faults = items.flatMap((item, index): FieldError[] => {
    const earlier = positions.get(item[idField]);
    if (earlier === undefined) positions.set(item[idField], index);
    const at = (name: string) => `${list}[${index}].${name}`;
    return [
      ...(earlier === undefined
        ? []
        : [
            {
              field: at(idField),
              code: 'REPEATED' as const,
              message: `${at(idField)} is the same as in ${list}[${earlier}]`,
            },
          ]),
      ...neverNull
        .filter((name) => item[name] === null)
        .map((name) => ({
          field: at(name),
          code: 'NOT_NULLABLE' as const,
          message: `${at(name)} must not be null`,
        })),
    ];
  });
  if (faults.length > 0) throw new InputError(faults.slice(0, faultsMax));
}

const faultsMax = 20;
