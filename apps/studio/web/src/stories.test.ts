import katex from 'katex';
import { describe, expect, it } from 'vitest';
import { fromFragment, toFragment } from './state';
import { stories, storyState } from './stories';

const shipped = Object.keys(import.meta.glob('../../../../scenarios/*.toml')).map((path) => path.replace(/^.*\/|\.toml$/g, ''));

describe('the tour', () => {
  it('has eight or nine steps and opens shipped scenes only', () => {
    expect(shipped.length).toBeGreaterThan(20);
    expect([8, 9]).toContain(stories.length);
    for (const step of stories) expect(shipped).toContain(step.scene.name);
  });

  it.each(stories.map((step, index) => [step.title, index] as const))('%s survives the way through the address', (_, index) => {
    const state = storyState(index, 'dark');
    const read = fromFragment(toFragment(state, 'key'));
    expect(read.state).toEqual(state);
    expect(read.state.story).toBe(index);
    expect(read.token).toBe('key');
  });

  it.each(stories.map((step) => [step.title, step] as const))('%s has formulas that can be set', (_, step) => {
    const inline = [...step.text, step.invitation].flatMap((text) => {
      const parts = text.split('$');
      expect(parts.length % 2).toBe(1);
      return parts.filter((__, index) => index % 2 === 1);
    });
    expect(step.formulas.length).toBeGreaterThan(0);
    for (const tex of [...step.formulas, ...inline]) katex.renderToString(tex, { throwOnError: true, strict: 'error', trust: false });
  });

  it('starts every step from the same page, whatever was shown before', () => {
    const first = storyState(1, '');
    first.scene.set['state.theta'] = 1;
    expect(storyState(1, '').scene.set).toEqual({});
    expect(storyState(1, '').play).toEqual(storyState(2, '').play);
  });
});
