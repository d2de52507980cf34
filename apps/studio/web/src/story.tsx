// The tour at the foot of the page. A step sets the state of the page and is one step of the back button; whatever the
// reader does then, the step stays open and can be taken back to how it was.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Formula, Prose } from './formula';
import { toFragment } from './state';
import { stories, storyState, type StoryStep } from './stories';
import { current, update, useStore } from './store';
import './story.css';

// The step that the number in the address means: −1 without a tour, the last one beyond it.
function shownStep(): number {
  return Math.min(current().story, stories.length - 1);
}

function openStep(index: number, push = true) {
  if (index < 0 || index >= stories.length) return;
  update(storyState(index, current().theme), push);
}

// A step that comes with the address or the history is shown with the state that came with it.
let arrived: number = current().story;
window.addEventListener('popstate', () => (arrived = current().story));

// Opening the tour asks for a step only by its number; its state follows in the same entry of the history.
function useOpening(story: number) {
  const before = useRef(-1);
  useLayoutEffect(() => {
    if (before.current < 0 && story >= 0 && arrived !== story) openStep(story, false);
    before.current = story;
    arrived = -1;
  }, [story]);
}

// Listening begins with the step on the screen, not after it has been painted: a key pressed at once would be lost.
function useArrowKeys(open: boolean) {
  useLayoutEffect(() => {
    if (!open) return;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const target = event.target;
      if (target instanceof HTMLElement && target.closest('input, select, textarea, [role=application], [role=menu], [role=slider], dialog')) return;
      if (event.key === 'ArrowRight') openStep(shownStep() + 1);
      else if (event.key === 'ArrowLeft') openStep(shownStep() - 1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [open]);
}

function Steps(props: { story: number; changed: boolean }) {
  const { story } = props;
  return (
    <div class="story-steps">
      <button type="button" data-testid="story-back" disabled={story === 0} title="key ←" onClick={() => openStep(story - 1)}>← Back</button>
      {stories.map((step, index) => (
        <button
          key={index}
          type="button"
          class="story-number"
          data-testid={`story-step-${index}`}
          aria-current={index === story ? 'step' : undefined}
          aria-label={`step ${index + 1}: ${step.title}`}
          title={step.title}
          onClick={() => openStep(index)}
        >
          {index + 1}
        </button>
      ))}
      <button type="button" data-testid="story-next" disabled={story === stories.length - 1} title="key →" onClick={() => openStep(story + 1)}>Next →</button>
      <button type="button" data-testid="story-restore" disabled={!props.changed} title="takes back what was changed since the step was opened" onClick={() => openStep(story)}>
        As the story has it
      </button>
      <button type="button" data-testid="story-close" aria-label="close the tour" title="key t" onClick={() => update({ story: -1 }, true)}>✕</button>
    </div>
  );
}

function StepText(props: { step: StoryStep }) {
  const { step } = props;
  return (
    <div class="story-body">
      <div class="story-text">
        {step.text.map((sentence) => <p key={sentence}><Prose text={sentence} /></p>)}
      </div>
      <div class="story-right">
        <div class="story-formulas">{step.formulas.map((tex) => <Formula key={tex} tex={tex} />)}</div>
        <p class="story-try"><strong>Try it.</strong> <Prose text={step.invitation} /></p>
      </div>
    </div>
  );
}

export function StoryPanel() {
  const state = useStore();
  const story = shownStep();
  const panel = useRef<HTMLElement>(null);
  useOpening(state.story);
  useArrowKeys(story >= 0);
  useEffect(() => panel.current?.scrollTo(0, 0), [story]);
  const step = stories[story];
  if (!step) return null;
  const changed = toFragment({ ...state, story }, '') !== toFragment(storyState(story, state.theme), '');
  return (
    <section ref={panel} class="story" data-testid="story-panel" aria-label="guided tour">
      <div class="story-head">
        <h2 data-testid="story-title" aria-live="polite">{step.title}</h2>
        <Steps story={story} changed={changed} />
      </div>
      <StepText step={step} />
    </section>
  );
}
