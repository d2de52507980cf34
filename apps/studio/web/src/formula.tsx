// A formula, set by KaTeX into an element of its own: no markup passes through here, and only our own texts do.
import katex from 'katex';
import 'katex/dist/katex.min.css';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Formula(props: { tex: string; display?: boolean }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    katex.render(props.tex, element.current!, { displayMode: props.display ?? false, throwOnError: false, trust: false, strict: 'error' });
  }, [props.tex, props.display]);
  return <span class="formula" ref={element} />;
}

// Words with formulas between dollar signs.
export function Prose(props: { text: string }) {
  return <>{props.text.split('$').map((part, index) => (index % 2 === 1 ? <Formula key={index} tex={part} /> : part))}</>;
}
