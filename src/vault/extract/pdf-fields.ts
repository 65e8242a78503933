import type { PdfTextItem } from './pdf-lines.ts';

/** What pdf.js says of an annotation of a page; only fields of forms and typed comments are used. */
type Annotation = {
  subtype?: string;
  rect?: number[];
  annotationFlags?: number;
  fieldType?: string | null;
  fieldValue?: unknown;
  exportValue?: unknown;
  buttonValue?: unknown;
  checkBox?: boolean;
  radioButton?: boolean;
  password?: boolean;
  options?: { exportValue?: unknown; displayValue?: unknown }[];
  contentsObj?: { str?: string };
};
type Field = { text: string; left: number; bottom: number; right: number; top: number };

/** A page has room for fewer, and each is compared with each text of the page. */
const fieldsMax = 1_000;
/** The annotation flags Hidden and NoView (ISO 32000-2, 12.5.3). */
const invisible = 0x02 | 0x20;

/**
 * The texts of a page with those of its form: what somebody has typed into a field stands behind its
 * label, and a cross before the label of a chosen box. They are not part of the page's own text.
 */
export function withFields(
  items: readonly PdfTextItem[],
  annotations: readonly Annotation[],
): PdfTextItem[] {
  const fields = annotations.slice(0, fieldsMax * 10).flatMap(fieldOf);
  const all = items.map((item) => ({ ...item }));
  for (const field of fields.slice(0, fieldsMax)) insert(all, field);
  return all;
}

function fieldOf(annotation: Annotation): Field[] {
  const { subtype, rect = [], annotationFlags = 0 } = annotation;
  if ((annotationFlags & invisible) !== 0) return [];
  const text = subtype === 'Widget' ? valueOfField(annotation) : typedText(annotation);
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  return text === '' ? [] : [{ text, left, bottom, right, top }];
}

const typedText = ({ subtype, contentsObj }: Annotation): string =>
  subtype === 'FreeText' ? oneLine(contentsObj?.str) : '';

function valueOfField(annotation: Annotation): string {
  const { fieldType, fieldValue, options = [] } = annotation;
  if (fieldType === 'Btn') return isChosen(annotation) ? chosenMark : '';
  if (fieldType === 'Tx') return annotation.password ? '' : oneLine(fieldValue);
  if (fieldType !== 'Ch') return '';
  const chosen = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return chosen
    .map((value) => options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value)
    .map(oneLine)
    .filter((value) => value !== '')
    .join(', ');
}

const chosenMark = '☒';

function isChosen(annotation: Annotation): boolean {
  const { checkBox, radioButton, fieldValue, exportValue, buttonValue } = annotation;
  if (typeof fieldValue !== 'string' || fieldValue === 'Off') return false;
  return (
    (checkBox === true && fieldValue === exportValue) ||
    (radioButton === true && fieldValue === buttonValue)
  );
}

const oneLine = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '';

/** Puts a field into the line that it is in, or else on a line of its own below what is above it. */
function insert(items: PdfTextItem[], { text, left, bottom, right, top }: Field): void {
  let before = -1;
  let after = -1;
  let above = -1;
  for (const [index, { str, transform }] of items.entries()) {
    if (str.trim() === '') continue;
    const [, , , , x = 0, y = 0] = transform;
    if (y >= top) above = index;
    if (y < bottom || y >= top) continue;
    if (x <= left && (before < 0 || x >= leftOf(items[before]))) before = index;
    if (x > left && (after < 0 || x < leftOf(items[after]))) after = index;
  }
  const neighbour = items[before < 0 ? after : before];
  const item = {
    str: text,
    transform: [1, 0, 0, 1, left, neighbour?.transform[5] ?? bottom],
    width: right - left,
    height: neighbour?.height ?? Math.min(top - bottom, 12),
    hasEOL: false,
  };
  if (text === chosenMark && after >= 0) items.splice(after, 0, { ...item, str: `${text} ` });
  else if (before >= 0) {
    const [label] = items.slice(before, before + 1);
    items.splice(before + 1, 0, { ...item, str: ` ${text} `, hasEOL: label?.hasEOL === true });
    if (label) label.hasEOL = false;
  } else {
    const [last] = items.slice(above, above + 1);
    if (above >= 0 && last) last.hasEOL = true;
    items.splice(above + 1, 0, { ...item, hasEOL: true });
  }
}

const leftOf = (item: PdfTextItem | undefined): number => item?.transform[4] ?? 0;
