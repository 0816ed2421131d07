import { EJSON, type Document } from 'bson';

/** Values that are equal have the same key, whatever their type. */
export const keyOf = (value: unknown): string => EJSON.stringify({ value: value ?? null });

/** Filters by equality, `$in`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$exists`, `$and` and `$or`. */
export function matches(document: Document, filter: Document = {}): boolean {
  return Object.entries(filter).every(([path, condition]) => {
    // Only ever asks to sleep, which is done already.
    if (path === '$where') return true;
    if (path === '$and') return (condition as Document[]).every((one) => matches(document, one));
    if (path === '$or') return (condition as Document[]).some((one) => matches(document, one));
    return fits(valueAt(document, path), condition);
  });
}

function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Document)?.[key], document);
}

function fits(value: unknown, condition: unknown): boolean {
  if (!isOperators(condition)) return equals(value, condition);
  return Object.entries(condition).every(([operator, operand]) => {
    const test = OPERATORS[operator];
    if (!test) throw new Error(`the test server does not know ${operator}`);
    return test(value, operand);
  });
}

const isOperators = (condition: unknown): condition is Document =>
  typeof condition === 'object' &&
  condition !== null &&
  Object.keys(condition).some((key) => key.startsWith('$'));

const equals = (value: unknown, wanted: unknown): boolean =>
  keyOf(value) === keyOf(wanted) ||
  (Array.isArray(value) && value.some((one) => keyOf(one) === keyOf(wanted)));

/** What is missing or null is neither less nor greater than anything. */
const ordered =
  (test: (value: number, operand: number) => boolean) =>
  (value: unknown, operand: unknown): boolean =>
    value !== undefined && value !== null && test(value as number, operand as number);

const OPERATORS: Record<string, (value: unknown, operand: unknown) => boolean> = {
  $eq: equals,
  $ne: (value, operand) => !equals(value, operand),
  $in: (value, operand) => (operand as unknown[]).some((one) => equals(value, one)),
  $nin: (value, operand) => !(operand as unknown[]).some((one) => equals(value, one)),
  $exists: (value, operand) => (value !== undefined) === Boolean(operand),
  $gt: ordered((value, operand) => value > operand),
  $gte: ordered((value, operand) => value >= operand),
  $lt: ordered((value, operand) => value < operand),
  $lte: ordered((value, operand) => value <= operand),
};

/** `$set`, `$setOnInsert`, `$unset`, `$inc`, `$push`, or a whole new document. */
export function updated(document: Document, update: Document, inserting: boolean): Document {
  if (!isOperators(update)) return { _id: document['_id'] as unknown, ...(update as Document) };
  const result: Document = { ...document };
  if (inserting) Object.assign(result, update['$setOnInsert']);
  Object.assign(result, update['$set']);
  for (const key of Object.keys((update['$unset'] as Document) ?? {})) delete result[key];
  for (const [key, by] of Object.entries((update['$inc'] as Document) ?? {})) {
    result[key] = Number(result[key] ?? 0) + Number(by);
  }
  for (const [key, value] of Object.entries((update['$push'] as Document) ?? {})) {
    result[key] = [...((result[key] as unknown[]) ?? []), value];
  }
  return result;
}
