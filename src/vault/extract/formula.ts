import { xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

type FormulaElement = { name: string; text: string; children: string[] };

/** A longer formula is cut, so that one that is used many times does not fill the text. */
const formulaUnitsMax = 1_000;

/**
 * Reads a part that contains a formula as MathML, and writes it in one line: "x = (a + b)/(2c)".
 * Undefined if the part contains something else, such as a chart.
 */
export async function readFormula(zip: ZipArchive, part: string): Promise<string | undefined> {
  if (!zip.has(part)) return undefined;
  const elements: FormulaElement[] = [{ name: '', text: '', children: [] }];
  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      const current = elements.at(-1);
      if (event.type === 'open') {
        if (elements.length === 1 && event.name !== 'math') return undefined;
        elements.push({ name: event.name, text: '', children: [] });
      } else if (event.type === 'text') {
        if (current) current.text = (current.text + event.text).slice(0, formulaUnitsMax);
      } else if (current) {
        elements.pop();
        elements.at(-1)?.children.push(textOf(current).slice(0, formulaUnitsMax));
      }
    }
  }
  const text = (elements[0]?.children ?? []).join('').replaceAll(/\s+/g, ' ').trim();
  return text === '' ? undefined : text.slice(0, formulaUnitsMax).toWellFormed();
}

/** An element of MathML in a page, as the parser of HTML gives it, or a text in it. */
type PageNode = {
  name?: string | undefined;
  data?: string | undefined;
  children?: PageNode[] | undefined;
};

/** The formula of an element `math` of a page. */
export function formulaOf(element: PageNode): string {
  const { name = '', children = [] } = element;
  const texts = children.map(({ data = '' }) => data).join('');
  const elements = children.filter((child) => child.name !== undefined);
  return textOf({ name, text: texts, children: elements.map(formulaOf) }).slice(0, formulaUnitsMax);
}

function textOf({ name, text, children }: FormulaElement): string {
  const [first = '', second = '', third = ''] = children;
  switch (name) {
    case 'mi':
    case 'mn':
    case 'mtext':
      return text.trim();
    case 'mo':
      return operatorOf(text.trim());
    case 'mfrac':
      return `${inBrackets(first)}/${inBrackets(second)}`;
    case 'msup':
    case 'mover':
      return `${inBrackets(first)}^${inBrackets(second)}`;
    case 'msub':
    case 'munder':
      return `${inBrackets(first)}_${inBrackets(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${inBrackets(first)}_${inBrackets(second)}^${inBrackets(third)}`;
    case 'msqrt':
      return `√(${children.join('').trim()})`;
    case 'mroot':
      return `${inBrackets(second)}√(${first.trim()})`;
    case 'mtr':
      return `${children.join(', ')}; `;
    // The formula in the language of the program that wrote it.
    case 'annotation':
    case 'annotation-xml':
      return '';
    default:
      // A sign at the beginning belongs to what follows.
      return children.join('').replace(/^ ([+±−-]) /, '$1');
  }
}

const operatorOf = (sign: string): string => (/^[=<>≤≥≈≠±+−→⇒∈-]$/.test(sign) ? ` ${sign} ` : sign);

/** One sign or number needs no brackets. */
export const inBrackets = (text: string): string => {
  const content = text.trim();
  return /^(?:[\p{N}.,]+|\p{L}+|\([^()]*\))$/u.test(content) || content.length === 1
    ? content
    : `(${content})`;
};
