import { expect, test } from 'vitest';
import { drawnOnChange } from './ui';

test('a part is drawn again when one of its properties has changed, and only then', () => {
  const Part = drawnOnChange((props: { name: string; value: number }) => `${props.name} ${props.value}`);
  const part = new Part({ name: 'p', value: 1 });
  expect(part.render()).toBe('p 1');
  expect(part.shouldComponentUpdate({ name: 'p', value: 1 })).toBe(false);
  expect(part.shouldComponentUpdate({ name: 'p', value: 2 })).toBe(true);
  expect(part.shouldComponentUpdate({ name: 'q', value: 1 })).toBe(true);
});

test('a value that is none does not differ from itself', () => {
  const Part = drawnOnChange((props: { value: number }) => String(props.value));
  expect(new Part({ value: NaN }).shouldComponentUpdate({ value: NaN })).toBe(false);
});
