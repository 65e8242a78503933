import { useEffect, useLayoutEffect, useRef, useState } from 'react';

type RenderMath = typeof import('./render-math.ts').renderMath;

type AnswerMathProps = { formula: string; isBlock: boolean };

/**
 * A formula in an answer. KaTeX is loaded with the first one; until then, and if it cannot be
 * loaded, the formula is shown as it was written.
 */
export function AnswerMath({ formula, isBlock }: AnswerMathProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [render, setRender] = useState<RenderMath>();
  useEffect(() => {
    import('./render-math.ts').then(
      ({ renderMath }) => setRender(() => renderMath),
      () => undefined,
    );
  }, []);
  // Before the browser draws again, so that a screen reader never finds neither source nor formula.
  useLayoutEffect(() => {
    if (place.current && render) render(formula, place.current, isBlock);
  }, [render, formula, isBlock]);
  const className = isBlock ? 'assistants-math assistants-math-block' : 'assistants-math';
  // KaTeX fills the element, so React must not: another key makes another element.
  return render ? (
    <span key="rendered" ref={place} className={className} />
  ) : (
    <code key="source" className={className}>
      {formula}
    </code>
  );
}
