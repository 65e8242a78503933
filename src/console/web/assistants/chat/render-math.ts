import katex from 'katex';
import 'katex/dist/katex.css';

/**
 * Renders a formula into an element. The content security policy blocks style attributes of HTML,
 * but not styles that a script sets. In the markup of KaTeX every quote within a text is escaped,
 * so what the pattern finds are attributes.
 */
export function renderMath(formula: string, element: HTMLElement, displayMode: boolean): void {
  const markup = katex.renderToString(formula, {
    displayMode,
    throwOnError: false,
    errorColor: 'var(--bad)',
    strict: 'ignore',
    // Formulas come from a model: no links, no images, no endless macros, no huge boxes.
    trust: false,
    maxExpand: 200,
    maxSize: 20,
  });
  element.innerHTML = markup.replaceAll(' style="', ' data-style="');
  for (const styled of element.querySelectorAll<HTMLElement | SVGElement>('[data-style]')) {
    styled.style.cssText = styled.dataset['style'] ?? '';
    styled.removeAttribute('data-style');
  }
}
